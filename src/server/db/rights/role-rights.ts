// What roles allow, as it is read from the rows of members and roles.

import { sql, type RawBuilder, type SqlBool } from 'kysely';
import {
  builtInRights,
  completeRights,
  isBuiltIn,
  noRights,
  type Right,
  type Rights,
} from '#shared/rights.ts';

/** A role with what it allows. */
export interface FoundRole {
  slug: string;
  /** Null for a built-in role. */
  id: number | null;
  name: string;
  rights: Rights;
}

/** The rights of a member. `rights`: those of their own role, as stored; null for a built-in one. */
export function rightsOf({ role, rights }: { role: string | null; rights: string | null }): Rights {
  if (rights !== null) return new Set(completeRights(JSON.parse(rights) as Right[]));
  return role !== null && isBuiltIn(role) ? builtInRights[role] : noRights;
}

const builtInWith = (right: Right): string[] =>
  Object.entries(builtInRights).flatMap(([role, rights]) => (rights.has(right) ? [role] : []));

/** A condition on rows with a role, such as those of members or grants under their name in the statement: it has the right. */
export function hasRight(right: Right, table = 'members'): RawBuilder<SqlBool> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  const builtIn = sql.join(builtInWith(right).map((role) => sql.lit(role)));
  return sql`case when ${column('role_id')} is null then ${column('role')} in (${builtIn})
    else exists (select 1 from roles r where r.id = ${column('role_id')}
      and r.rights like ${sql.lit(`%"${right}"%`)}) end`;
}

/** The id of a restriction; null: nothing is restricted in the project of this column. */
export const anyRestriction = (project: string) =>
  sql<number | null>`(select r.id from restrictions r
    where r.project_id = ${sql.ref(project)} limit 1)`.as('restriction');

/** The id of a grant of a user; null: they have none in the project of this column. */
export const anyGrant = (project: string, user: RawBuilder<unknown>) =>
  sql<number | null>`(select g.id from grants g
    where g.project_id = ${sql.ref(project)} and g.user_id = ${user} limit 1)`.as('grant');
