// What roles allow, as it is read from the rows of members and roles.

import {
  sql,
  type Expression,
  type ExpressionBuilder,
  type RawBuilder,
  type SqlBool,
} from 'kysely';
import {
  builtInRights,
  completeRights,
  isBuiltIn,
  noRights,
  type Right,
  type Rights,
} from '#shared/rights.ts';
import type { Tables } from '../tables.ts';

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

/** The built-in roles that have a right. */
export const builtInWith = (right: Right): string[] =>
  Object.entries(builtInRights).flatMap(([role, rights]) => (rights.has(right) ? [role] : []));

/** A condition on a member: their role has the right. */
export const hasRight =
  (right: Right) =>
  (eb: ExpressionBuilder<Tables, 'members'>): Expression<SqlBool> =>
    eb
      .case()
      .when('members.role_id', 'is', null)
      .then(eb('members.role', 'in', builtInWith(right)))
      .else(
        eb.exists(
          eb
            .selectFrom('roles')
            .select('roles.id')
            .whereRef('roles.id', '=', 'members.role_id')
            .where('roles.rights', 'like', sql.lit(`%"${right}"%`)),
        ),
      )
      .end();

/** The id of a restriction; null: nothing is restricted in the project of this column. */
export const anyRestriction = (project: string) =>
  sql<number | null>`(select r.id from restrictions r
    where r.project_id = ${sql.ref(project)} limit 1)`.as('restriction');

/** The id of a grant of a user; null: they have none in the project of this column. */
export const anyGrant = (project: string, user: RawBuilder<unknown>) =>
  sql<number | null>`(select g.id from grants g
    where g.project_id = ${sql.ref(project)} and g.user_id = ${user} limit 1)`.as('grant');
