import { sql } from 'kysely';
import type { GrantLimits } from '#shared/grants/limits.ts';
import { isLimited } from '#shared/grants/limits.ts';
import { columnOf, grantedTables } from '#shared/grants/granted-types.ts';
import { ofLimited, roleNameOf, type Rights } from '#shared/rights.ts';
import type { Db } from '../open.ts';
import { toPlain } from '../plain-row.ts';
import { objectColumns, objectColumnsOf, objectOf } from './named-object.store.ts';
import { ObjectRights, type HeldGrant, type ObjectRef } from './object-rights.ts';
import { rightsOf } from './role-rights.ts';

type Shown = (object: ObjectRef) => ObjectRef[];

/** Returns an object with what it shows, if it is one of these views. */
async function listShown(db: Db, projectId: number, objects: ObjectRef[]): Promise<Shown> {
  const views = objects.filter(({ type }) => type === 'view').map(({ id }) => id);
  if (views.length === 0) return (object) => [object];
  const ofTable = (type: 'template' | 'workflow') =>
    db
      .selectFrom(grantedTables[type].table)
      .select(['id', 'view_id', sql.lit(type).as('type')])
      .where('project_id', '=', projectId)
      .where('view_id', 'in', views);
  const rows = await ofTable('template').unionAll(ofTable('workflow')).execute();
  return (object) => {
    if (object.type !== 'view') return [object];
    const shown = rows.filter((row) => row.view_id === object.id);
    return [object, ...shown.map(({ type, id }) => ({ type, id }))];
  };
}

/** An object, and what it shows if it is a view. */
export const withShown = async (
  db: Db,
  projectId: number,
  object: ObjectRef,
): Promise<ObjectRef[]> => (await listShown(db, projectId, [object]))(object);

async function listRestricted(db: Db, projectId: number): Promise<ObjectRef[]> {
  const rows = await db
    .selectFrom('restrictions')
    .select(objectColumns)
    .where('project_id', '=', projectId)
    .execute();
  const objects = rows.map((row) => objectOf(row));
  return objects.flatMap(await listShown(db, projectId, objects));
}

const selectGrants = (db: Db, projectId: number) =>
  db
    .selectFrom('grants')
    .leftJoin('roles', 'roles.id', 'grants.role_id')
    .select(['grants.id', 'grants.user_id', 'grants.role', 'grants.limits'])
    .select(objectColumnsOf('grants'))
    .select(['roles.name as own_name', 'roles.rights as own_rights'])
    .where('grants.project_id', '=', projectId);

type GrantRow = Awaited<ReturnType<ReturnType<typeof selectGrants>['execute']>>[number];

function toGrant(stored: GrantRow): { object: ObjectRef; grant: HeldGrant } {
  const row = toPlain<GrantRow, { limits: GrantLimits }>({ limits: 'json' }, stored);
  const rights = rightsOf({ role: row.role, rights: row.own_rights });
  const limits = isLimited(row.limits) ? row.limits : null;
  const grant = {
    id: row.id,
    role: row.role,
    roleName: roleNameOf(row.role, row.own_name),
    rights: limits ? ofLimited(rights) : rights,
    limits,
  };
  return { object: objectOf(row), grant };
}

/** Of a member with these rights by their role. */
export async function loadObjectRights(
  db: Db,
  { projectId, userId, ofRole }: { projectId: number; userId: number; ofRole: Rights },
): Promise<ObjectRights> {
  const rows = await selectGrants(db, projectId).where('grants.user_id', '=', userId).execute();
  const held = rows.map((row) => toGrant(row));
  const objects = held.map(({ object }) => object);
  const shown = await listShown(db, projectId, objects);
  const grants = held.flatMap(({ object, grant }) =>
    shown(object).map((one) => ({ object: one, grant })),
  );
  return new ObjectRights(ofRole, grants, await listRestricted(db, projectId));
}

/** Of every member, on one object only. */
export async function loadRightsOn(
  db: Db,
  projectId: number,
  object: ObjectRef,
): Promise<(userId: number, ofRole: Rights) => ObjectRights> {
  const view = await findView(db, object);
  const rows = await selectGrants(db, projectId)
    .where((eb) =>
      eb.or([
        eb(`grants.${columnOf(object.type)}`, '=', object.id),
        ...(view === null ? [] : [eb('grants.view_id', '=', view)]),
      ]),
    )
    .execute();
  const grants = rows.map((row) => ({ userId: row.user_id, object, grant: toGrant(row).grant }));
  const restricted = await listRestricted(db, projectId);
  return (userId, ofRole) => {
    const own = grants.filter((one) => one.userId === userId);
    return new ObjectRights(ofRole, own, restricted);
  };
}

/** The view that shows an object; null: none does. */
async function findView(db: Db, { type, id }: ObjectRef): Promise<number | null> {
  if (type !== 'template' && type !== 'workflow') return null;
  const row = await db
    .selectFrom(grantedTables[type].table)
    .select('view_id')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.view_id ?? null;
}
