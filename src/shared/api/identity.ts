// Sign-in at identity providers, and the rules that assign roles to their groups.

import { z } from 'zod';
import { crossCheck } from '../cross-check.ts';
import { anyRole, givenRole } from './roles.ts';
import { endpoint } from './endpoint.ts';
import { id, initially, line, nullable, requiredId, secret } from '../fields.ts';
import { canHaveLimits, grantLimits, keptLimits, noLimits, shownLimits } from '../grants/limits.ts';
import { grantedRole, objectType } from './grants.ts';

const providerParams = { provider_id: z.string().max(64) };

// Any field is accepted, because the OIDC library validates them.
const anyText = z.union([z.string(), z.array(z.string())]).optional();

/** The identity source: `any` provider, `ldap` for the directory, or the id of a provider. */
const source = z.string().regex(/^[\w-]{1,64}$/);

const ruleFields = {
  source,
  /** The claim with the groups: `groups`, or a path such as `realm_access.roles`. */
  claim: line(255),
  /** A case-sensitive pattern for the whole name of a group; `*` matches any text. */
  pattern: line(1000),
};

const rule = z.object({
  id,
  source: z.string(),
  claim: z.string(),
  pattern: z.string(),
  project_id: id.nullable(),
  project_name: z.string().nullable(),
  role: anyRole.nullable(),
  /** English for a built-in role. */
  role_name: z.string().nullable(),
  /** What the role is given on; null: the whole project. */
  object_type: objectType.nullable(),
  object_id: id.nullable(),
  object_name: z.string().nullable(),
  limits: shownLimits,
  /** Whether the rule makes administrators of the server instead of members of a project. */
  administrator: z.boolean(),
});
export type GroupRule = z.output<typeof rule>;

const newRule = z.object({
  ...ruleFields,
  project_id: nullable(requiredId('field.required')),
  role: nullable(givenRole),
  object_type: nullable(objectType),
  object_id: nullable(requiredId('grant.object_required')),
  limits: initially(grantLimits, noLimits),
  administrator: z.boolean().default(false),
});

export const newGroupRule = crossCheck(newRule, (check) => {
  check(['administrator', 'project_id', 'role'], (rights, refuse) => {
    const { administrator, project_id: project, role } = rights;
    const isWrong = administrator
      ? project !== null || role !== null
      : project === null || role === null;
    if (isWrong) refuse('project_id', 'group_rule.project_or_admin');
  });
  check(['administrator', 'object_type', 'object_id'], (given, refuse) => {
    const hasType = given.object_type !== null;
    if (hasType && given.administrator) refuse('object_type', 'group_rule.object_of_admin');
    if (hasType !== (given.object_id !== null)) refuse('object_id', 'grant.object_required');
  });
  check(['object_type', 'limits'], ({ object_type: type, limits }, refuse) => {
    if (!canHaveLimits(type, limits)) refuse('limits', 'grant.limits_unfit');
  });
});
export type NewGroupRule = z.output<typeof newGroupRule>;

const provider = z.object({
  id: z.string(),
  kind: z.enum(['oidc', 'ldap']),
  name: z.string(),
  /** The issuer, or the address of the directory. */
  address: z.string(),
  /** The redirect URL to register at the provider; null for the directory. */
  redirect_url: z.string().nullable(),
  /** `unknown`: no request since the start of the server. */
  state: z.enum(['ready', 'unreachable', 'unknown']),
  reason: z.string(),
});
export type IdentityProvider = z.output<typeof provider>;

const tried = z.object({
  administrator: z.boolean(),
  roles: z.array(
    z.object({
      project_id: id,
      project_name: z.string(),
      role: anyRole,
      role_name: z.string(),
      rule_id: id,
    }),
  ),
  /** The roles on single objects, for members of their project. */
  grants: z.array(
    z.object({
      project_id: id,
      project_name: z.string(),
      ...grantedRole,
      rule_id: id,
    }),
  ),
  rules: z.array(
    z.object({
      rule_id: id,
      matches: z.boolean(),
      /**
       * Whether the rule decides, a rule with a higher role does, it counts only for those who are members for another
       * reason than a rule, or why it does not match.
       */
      reason: z.enum([
        'decides',
        'outdone',
        'members_only',
        'other_source',
        'no_claim',
        'no_match',
      ]),
      /** The group that matched; empty: none. */
      value: z.string(),
    }),
  ),
});
export type TriedClaims = z.output<typeof tried>;

export const identity = {
  begin: endpoint.get('/api/auth/oidc/:provider_id/login', {
    permission: 'public',
    summary:
      'Sends the browser to the provider. `next`: the address of the console to come back to; without it, the first page keeps the query string',
    params: providerParams,
    query: z.object({ next: anyText, redirect: anyText }),
    reply: z.string(),
    status: 302,
    rateLimit: { max: 60, windowSeconds: 60 },
  }),
  complete: endpoint.get('/api/auth/oidc/:provider_id/redirect', {
    permission: 'public',
    summary: 'Where the provider sends the browser back to; sets the session cookie',
    params: providerParams,
    query: z.object({
      code: secret(anyText),
      state: anyText,
      iss: anyText,
      error: anyText,
      error_description: anyText,
      session_state: anyText,
    }),
    reply: z.string(),
    status: 302,
    rateLimit: { max: 60, windowSeconds: 60 },
  }),
  providers: endpoint.get('/api/identity/providers', {
    permission: 'admin',
    summary: 'Where people sign in besides here, and whether these places answer',
    reply: z.array(provider),
  }),
  try: endpoint.post('/api/identity/try', {
    permission: 'admin',
    summary:
      'Which roles a person with these claims would get by the rules, and why; nothing is changed',
    body: z.strictObject({
      source,
      claims: z.record(z.string(), z.unknown()),
    }),
    reply: tried,
  }),
};

export const groupRules = {
  list: endpoint.get('/api/identity/rules', {
    permission: 'admin',
    summary: 'The rules by which groups give roles, in their order',
    reply: z.array(rule),
  }),
  create: endpoint.post('/api/identity/rules', {
    permission: 'admin',
    summary: 'Add a rule, behind the others; it counts from the next sign-in of each person',
    body: newGroupRule,
    reply: rule,
    status: 201,
  }),
  one: endpoint.get('/api/identity/rules/:rule_id', {
    permission: 'admin',
    summary: 'One rule',
    reply: rule,
  }),
  update: endpoint.put('/api/identity/rules/:rule_id', {
    permission: 'admin',
    summary: 'Change a rule',
    body: newGroupRule,
    kept: ['object_type', 'object_id', ...keptLimits],
  }),
  place: endpoint.post('/api/identity/rules/order', {
    permission: 'admin',
    summary: 'Put all rules into another order',
    body: z.strictObject({ ids: z.array(id).max(1000) }),
    refuses: ['request.stale'],
  }),
  remove: endpoint.delete('/api/identity/rules/:rule_id', {
    permission: 'admin',
    summary: 'Delete a rule; what it gave goes at the next sign-in of each person',
  }),
};
