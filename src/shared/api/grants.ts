// Access to single objects of a project: grants, restrictions, and who may do what with an object.

import { z } from 'zod';
import { id, idOf, idParam, initially, requiredId, time } from '../fields.ts';
import { grantedTypes } from '../grants/granted-types.ts';
import { grantLimits, keptLimits, noLimits, shownLimits } from '../grants/limits.ts';
import { rightNames } from '../rights.ts';
import { endpoint } from './endpoint.ts';
import { newestFirstQuery, searchText } from './page.ts';
import { anyRole, givenRole } from './roles.ts';

export const objectType = z.enum(grantedTypes);

const objectRef = { object_type: objectType, object_id: requiredId('grant.object_required') };

const grantChange = z.object({
  role: givenRole,
  limits: initially(grantLimits, noLimits),
});
export type GrantChange = z.output<typeof grantChange>;

const newGrant = z.strictObject({
  ...grantChange.shape,
  user_id: requiredId('member.user_required'),
  ...objectRef,
});
export type NewGrant = z.output<typeof newGrant>;

/** A role on an object, as it is shown. */
export const grantedRole = {
  object_type: objectType,
  object_id: id,
  object_name: z.string(),
  /** The slug of the role that the user has on the object. */
  role: anyRole,
  role_name: z.string(),
  limits: shownLimits,
};

const grant = z.object({
  id,
  user_id: id,
  username: z.string(),
  user_name: z.string(),
  ...grantedRole,
  /** Whether a rule for groups gave it; rules change it at the next sign-in. */
  from_rules: z.boolean(),
  /** Who gave it; empty for a rule and for a deleted account. */
  granted_by: z.string(),
  created: time,
});
export type Grant = z.output<typeof grant>;

const filter = z.object({
  user_id: idParam.optional(),
  object_type: objectType.optional(),
  /** Together with `object_type`. */
  object_id: idParam.optional(),
  /** In the names of users, objects and roles. */
  q: searchText,
});
export type GrantFilter = z.output<typeof filter>;

export const grants = {
  list: endpoint.get('/api/project/:project_id/grants', {
    permission: 'member',
    summary:
      "Who has which role on which object, the newest first: the caller's own, and those that the caller may give",
    query: filter.extend(newestFirstQuery.shape),
    reply: z.array(grant),
  }),
  export: endpoint.get('/api/project/:project_id/grants/export', {
    permission: 'grant.edit',
    summary: 'All grants of the project as CSV, with the same filters',
    query: filter,
    textType: 'text/csv',
    reply: z.string(),
  }),
  create: endpoint.post('/api/project/:project_id/grants', {
    permission: 'grant.edit',
    ofObject: true,
    summary:
      'Give a member a role on one object, at most with the rights that the caller has on it',
    body: newGrant,
    reply: grant,
    status: 201,
    refuses: ['permission.beyond', 'grant.object_missing'],
  }),
  one: endpoint.get('/api/project/:project_id/grants/:grant_id', {
    permission: 'grant.edit',
    ofObject: true,
    summary: 'One grant',
    reply: grant,
  }),
  update: endpoint.put('/api/project/:project_id/grants/:grant_id', {
    permission: 'grant.edit',
    ofObject: true,
    summary:
      'Change the role or the limits of a grant; neither with more rights than the caller has',
    body: grantChange,
    kept: keptLimits,
    refuses: ['permission.beyond'],
  }),
  remove: endpoint.delete('/api/project/:project_id/grants/:grant_id', {
    permission: 'grant.edit',
    ofObject: true,
    summary: 'Take a grant away; at most with the rights that the caller has on the object',
    refuses: ['permission.beyond'],
  }),
};

/** `hidden`: only those with access know of it. `named`: the others see its name. */
const restrictionModes = ['open', 'named', 'hidden'] as const;
export type RestrictionMode = (typeof restrictionModes)[number];

export const newRestriction = z.strictObject({ ...objectRef, mode: z.enum(restrictionModes) });
export type NewRestriction = z.output<typeof newRestriction>;

export const restriction = z.object({
  object_type: objectType,
  object_id: id,
  object_name: z.string(),
  mode: z.enum(restrictionModes),
  /** Whether the caller has access. */
  seen: z.boolean(),
});
export type Restriction = z.output<typeof restriction>;

export const restrictions = {
  list: endpoint.get('/api/project/:project_id/restrictions', {
    permission: 'member',
    readsAll: true,
    summary: 'The restricted objects of the project of which the caller may know',
    reply: z.array(restriction),
  }),
  set: endpoint.post('/api/project/:project_id/restrictions', {
    permission: 'grant.edit',
    ofObject: true,
    summary:
      'Restrict an object to those with a grant on it, or open it to the roles of the project',
    body: newRestriction,
    refuses: ['grant.object_missing'],
  }),
};

const source = z.object({
  kind: z.enum(['administrator', 'role', 'grant']),
  role: anyRole,
  role_name: z.string(),
  /** Null for a role in the project. */
  grant_id: id.nullable(),
  limits: shownLimits.nullable(),
});

const rights = z.array(z.enum(rightNames));

const personAccess = z.object({
  user_id: id,
  username: z.string(),
  user_name: z.string(),
  /** What they may do with the object. */
  rights,
  /** Why. */
  through: z.array(source),
});
export type PersonAccess = z.output<typeof personAccess>;

const objectAccess = z.object({
  object_type: objectType,
  object_id: id,
  object_name: z.string(),
  mode: z.enum(restrictionModes),
  rights,
  through: z.array(source),
});
export type ObjectAccess = z.output<typeof objectAccess>;

export const access = {
  ofObject: endpoint.get('/api/project/:project_id/access/:object_type/:object_id', {
    permission: 'grant.edit',
    ofObject: true,
    summary:
      'Who may do what with an object, and through what; without those who see nothing of it',
    params: { object_type: objectType, object_id: idOf('grant.object_missing') },
    reply: z.array(personAccess),
    refuses: ['grant.object_missing'],
  }),
  ofUser: endpoint.get('/api/project/:project_id/users/:user_id/access', {
    permission: 'grant.edit',
    summary:
      'What a member may do with each object that is restricted or on which they have a grant',
    reply: z.array(objectAccess),
    refuses: ['member.not_found'],
  }),
};
