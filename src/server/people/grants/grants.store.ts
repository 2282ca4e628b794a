import type { Grant, GrantFilter } from '#shared/api/grants.ts';
import { columnOf } from '#shared/grants/granted-types.ts';
import type { GrantLimits } from '#shared/grants/limits.ts';
import { noRights, type Rights, roleNameOf } from '#shared/rights.ts';
import type { Db } from '../../db/open.ts';
import { fromPlain, toPlain } from '../../db/plain-row.ts';
import type { ObjectRef } from '../../db/rights/object-rights.ts';
import { namedObject, nameOfObject, objectOf } from '../../db/rights/named-object.store.ts';
import { type FoundRole, rightsOf } from '../../db/rights/role-rights.ts';
import { toFlag } from '../../db/row.ts';
import { contains } from '../../db/search.ts';
import type { Flag } from '../../db/tables/columns.ts';

const shown = (db: Db) =>
  db
    .selectFrom('grants')
    .innerJoin('users', 'users.id', 'grants.user_id')
    .leftJoin('users as givers', 'givers.id', 'grants.granted_by')
    .leftJoin('roles', 'roles.id', 'grants.role_id')
    .select(['grants.id', 'grants.user_id', 'users.username', 'users.name as user_name'])
    .select(namedObject('grants'))
    .select(['grants.role', 'roles.name as own_name', 'roles.rights as own_rights'])
    .select(['grants.limits', 'grants.from_rules', 'grants.created'])
    .select('givers.username as granted_by')
    .select(nameOfObject('grants').as('object_name'));

export type GrantWithRights = Grant & { rights: Rights };

type Shown = Awaited<ReturnType<ReturnType<typeof shown>['execute']>>[number];

function toGrant(stored: Shown): GrantWithRights {
  const row = toPlain<Shown & { from_rules: Flag }, { limits: GrantLimits }>(
    { limits: 'json', from_rules: 'flag' },
    stored,
  );
  const { type, id } = objectOf(row);
  return {
    id: row.id,
    user_id: row.user_id,
    username: row.username,
    user_name: row.user_name,
    object_type: type,
    object_id: id,
    object_name: row.object_name ?? '',
    role: row.role,
    role_name: roleNameOf(row.role, row.own_name),
    limits: row.limits,
    from_rules: row.from_rules,
    granted_by: row.granted_by ?? '',
    created: row.created,
    rights: rightsOf({ role: row.role, rights: row.own_rights }),
  };
}

/** Which grants somebody may read: all, or those of their own and on some objects. */
export type Readable = { userId: number; objects: ObjectRef[] } | null;

export interface GrantPage extends GrantFilter {
  limit: number;
  before?: number | undefined;
}

/** The newest first. */
export async function listGrants(
  db: Db,
  projectId: number,
  { user_id: userId, object_type: type, object_id: id, q, limit, before }: GrantPage,
  readable: Readable,
): Promise<GrantWithRights[]> {
  let query = shown(db).where('grants.project_id', '=', projectId);
  if (userId !== undefined) query = query.where('grants.user_id', '=', userId);
  if (type) query = query.where(`grants.${columnOf(type)}`, 'is not', null);
  if (type && id !== undefined) query = query.where(`grants.${columnOf(type)}`, '=', id);
  if (before !== undefined) query = query.where('grants.id', '<', before);
  if (q) {
    const names = ['users.name', 'users.username', 'roles.name', 'grants.role'];
    query = query.where(contains([...names, nameOfObject('grants')], q));
  }
  if (readable) {
    query = query.where((eb) =>
      eb.or([
        eb('grants.user_id', '=', readable.userId),
        ...readable.objects.map((object) => eb(`grants.${columnOf(object.type)}`, '=', object.id)),
      ]),
    );
  }
  return (await query.orderBy('grants.id', 'desc').limit(limit).execute()).map(toGrant);
}

export async function findGrant(
  db: Db,
  projectId: number,
  id: number,
): Promise<GrantWithRights | null> {
  const row = await shown(db)
    .where('grants.project_id', '=', projectId)
    .where('grants.id', '=', id)
    .executeTakeFirst();
  return row ? toGrant(row) : null;
}

/** Those that rules for groups gave to a user, in all projects. */
export async function listGrantsFromRules(
  db: Db,
  userId: number,
): Promise<(GrantWithRights & { projectId: number })[]> {
  const rows = await shown(db)
    .select('grants.project_id')
    .where('grants.user_id', '=', userId)
    .where('grants.from_rules', '=', 1)
    .orderBy('grants.id')
    .execute();
  return rows.map(({ project_id: projectId, ...row }) => ({ ...toGrant(row), projectId }));
}

interface GrantValues {
  role: Pick<FoundRole, 'slug' | 'id'>;
  limits: GrantLimits;
}

const toColumns = ({ role, limits }: GrantValues) => ({
  role: role.slug,
  role_id: role.id,
  limits: fromPlain({ limits: 'json' }, { limits })['limits'] as string,
});

export async function insertGrant(
  db: Db,
  projectId: number,
  grant: GrantValues & {
    userId: number;
    object: ObjectRef;
    grantedBy: number | null;
    isFromRules?: boolean;
    created: string;
  },
): Promise<number> {
  const row = await db
    .insertInto('grants')
    .values({
      project_id: projectId,
      user_id: grant.userId,
      [columnOf(grant.object.type)]: grant.object.id,
      ...toColumns(grant),
      from_rules: toFlag(grant.isFromRules ?? false),
      granted_by: grant.grantedBy,
      created: grant.created,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** From then on it is one that somebody gave, which no rule takes away. */
export async function updateGrant(
  db: Db,
  id: number,
  { grantedBy, ...values }: GrantValues & { grantedBy: number },
): Promise<void> {
  const giver = { from_rules: toFlag(false), granted_by: grantedBy };
  await db
    .updateTable('grants')
    .set({ ...toColumns(values), ...giver })
    .where('id', '=', id)
    .execute();
}

export async function deleteGrant(db: Db, id: number): Promise<void> {
  await db.deleteFrom('grants').where('id', '=', id).execute();
}

/** The grants on views, with their rights, and the restrictions of these views, without rights. */
export async function findViewAccess(
  db: Db,
  views: (number | null)[],
): Promise<{ viewId: number | null; rights: Rights }[]> {
  const ids = views.filter((id) => id !== null);
  const grants = await db
    .selectFrom('grants')
    .leftJoin('roles', 'roles.id', 'grants.role_id')
    .select(['grants.view_id', 'grants.role', 'roles.rights'])
    .where('grants.view_id', 'in', ids)
    .execute();
  const restrictions = await db
    .selectFrom('restrictions')
    .select('view_id')
    .where('view_id', 'in', ids)
    .execute();
  return [
    ...grants.map((row) => ({ viewId: row.view_id, rights: rightsOf(row) })),
    ...restrictions.map((row) => ({ viewId: row.view_id, rights: noRights })),
  ];
}
