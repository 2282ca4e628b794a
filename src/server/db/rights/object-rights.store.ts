import { sql } from 'kysely';
import { type GrantLimits, isLimited, noLimits } from '#shared/grants/limits.ts';
import { columnOf, grantedTables } from '#shared/grants/granted-types.ts';
import { ofLimited, roleNameOf, type Rights } from '#shared/rights.ts';
import type { Db } from '../open.ts';
import { namedObject, objectOf } from './named-object.store.ts';
import { ObjectRights, type HeldGrant, type ObjectRef } from './object-rights.ts';
import { rightsOf } from './role-rights.ts';

const ofGrants = namedObject('grants');
const ofRestrictions = namedObject('restrictions');

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
    .select(ofRestrictions)
    .where('project_id', '=', projectId)
    .execute();
  const objects = rows.map((row) => objectOf(row));
  return objects.flatMap(await listShown(db, projectId, objects));
}

// Text that is always the same, as in most grants, costs more to read than to compare.
const noLimitsText = sql.lit(JSON.stringify(noLimits));

const selectGrants = (db: Db, projectId: number) =>
  db
    .selectFrom('grants')
    .select(['grants.id', 'grants.user_id', 'grants.role', 'grants.role_id'])
    .select(sql<string | null>`nullif(grants.limits, ${noLimitsText})`.as('limits'))
    .select(ofGrants)
    .where('grants.project_id', '=', projectId);

type GrantRow = Awaited<ReturnType<ReturnType<typeof selectGrants>['execute']>>[number];

interface PlacedGrant {
  userId: number;
  object: ObjectRef;
  grant: HeldGrant;
}

type Held = Omit<HeldGrant, 'id'>;

/** Grants of the same role with the same limits are read once. */
async function toGrants(db: Db, rows: GrantRow[]): Promise<PlacedGrant[]> {
  const toHeld = await readHeld(db, rows);
  const known = new Map<string, Held>();
  return rows.map((row) => {
    const key = `${row.role_id ?? row.role} ${row.limits ?? ''}`;
    const held = known.get(key) ?? toHeld(row);
    known.set(key, held);
    return { userId: row.user_id, object: objectOf(row), grant: { ...held, id: row.id } };
  });
}

async function readHeld(db: Db, rows: GrantRow[]): Promise<(row: GrantRow) => Held> {
  const ids = [...new Set(rows.map(({ role_id: id }) => id).filter((id) => id !== null))];
  const roles =
    ids.length === 0
      ? []
      : await db
          .selectFrom('roles')
          .select(['id', 'name', 'rights'])
          .where('id', 'in', ids)
          .execute();
  return ({ role, role_id: roleId, limits: text }) => {
    const own = roles.find(({ id }) => id === roleId);
    const rights = rightsOf({ role, rights: own?.rights ?? null });
    const given = text === null ? noLimits : (JSON.parse(text) as GrantLimits);
    const limits = isLimited(given) ? given : null;
    return {
      role,
      roleName: roleNameOf(role, own?.name ?? null),
      rights: limits ? ofLimited(rights) : rights,
      limits,
    };
  };
}

interface MemberRights {
  projectId: number;
  userId: number;
  ofRole: Rights;
  /** Of templates, only about this one. */
  templateId?: number;
}

/** Of a member with these rights by their role. */
export async function loadObjectRights(
  db: Db,
  { projectId, userId, ofRole, templateId }: MemberRights,
): Promise<ObjectRights> {
  let query = selectGrants(db, projectId).where('grants.user_id', '=', userId);
  if (templateId !== undefined) {
    query = query.where(({ eb, or }) =>
      or([eb('grants.template_id', 'is', null), eb('grants.template_id', '=', templateId)]),
    );
  }
  const rows = await query.execute();
  const held = await toGrants(db, rows);
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
  const grants = (await toGrants(db, rows)).map((one) => ({ ...one, object }));
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
