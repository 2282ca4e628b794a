// Roles of one's own: sets of rights with a name, of a project or of the installation.

import { z } from 'zod';
import { id, initially, isMissing, line, optional, optionalLine } from '../fields.ts';
import { completeRights, rightNames } from '../rights.ts';
import { sortedQuery } from './page.ts';
import { resourceEndpoints } from './resource-endpoints.ts';

/** By which members have it; it never changes. */
const slug = line(20).refine((text) => /^[a-z][a-z0-9-]*$/.test(text), { error: 'role.slug' });

/** A built-in role, or one of the project or the installation. */
export const anyRole = z.string().max(20);

/** The role that a member gets; the server refuses those that the project does not know. */
export const givenRole = z
  .string({ error: ({ input }) => (isMissing(input) ? 'member.role_required' : undefined) })
  .min(1, { error: 'member.role_required' })
  .max(20, { error: 'member.role_unknown' });

const change = z.object({
  name: line(100, 'name.required'),
  description: initially(optionalLine(500), ''),
  /** With those that others imply. */
  rights: z.array(z.enum(rightNames)).max(1000).transform(completeRights),
});
export type RoleChange = z.output<typeof change>;

/** Without a slug, it is made of the name. */
export const newRole = change.extend({ slug: optional(slug) });
export type NewRole = z.output<typeof newRole>;

export const customRole = z.object({
  id,
  /** Null: it belongs to the installation. */
  project_id: id.nullable(),
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  rights: z.array(z.enum(rightNames)),
});
export type CustomRole = z.output<typeof customRole>;

const listed = customRole.extend({
  /** How many members have it: of the project, or in the list of the installation of all. */
  members: z.number().int(),
});
export type ListedRole = z.output<typeof listed>;

const query = sortedQuery(['name']);

/** Those of a project, and to read those of the installation. */
export const projectRoles = resourceEndpoints('/api/project/:project_id/roles', 'role', {
  permission: 'role.edit',
  summaries: {
    list: "The project's own roles and those of the installation, besides the four built-in ones",
    create: 'Add a role to the project, at most with the rights that the caller has',
    one: 'One role of the project or of the installation',
    update: 'Change a role of the project; neither with more rights than the caller has',
    remove: 'Delete a role of the project that nobody has',
  },
  query,
  body: newRole,
  change,
  reply: customRole,
  listed,
  refuses: {
    create: ['role.name_taken', 'role.slug_taken', 'permission.beyond'],
    update: ['role.name_taken', 'role.of_installation', 'permission.beyond'],
    remove: ['role.in_use', 'role.of_installation', 'permission.beyond'],
  },
});

export const installationRoles = resourceEndpoints('/api/roles', 'installation_role', {
  permission: 'admin',
  readPermission: 'admin',
  summaries: {
    list: 'The roles of the installation, which members of all projects can have',
    create: 'Add a role to the installation',
    one: 'One role of the installation',
    update: 'Change a role of the installation',
    remove: 'Delete a role of the installation that nobody has',
  },
  query,
  body: newRole,
  change,
  reply: customRole,
  listed,
  refuses: {
    create: ['role.name_taken', 'role.slug_taken'],
    update: ['role.name_taken'],
    remove: ['role.in_use'],
  },
});
