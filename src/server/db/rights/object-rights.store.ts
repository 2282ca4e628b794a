import type { GrantLimits } from '#shared/grants/limits.ts';
import { isLimited } from '#shared/grants/limits.ts';
import { columnOf, grantedTypes, type GrantedType } from '#shared/grants/granted-types.ts';
import { ofLimited, roleNameOf, type Rights } from '#shared/rights.ts';
import type { Db } from '../open.ts';
import { toPlain } from '../plain-row.ts';
import { ObjectRights, type HeldGrant, type ObjectRef } from './object-rights.ts';
import { rightsOf } from './role-rights.ts';

type ObjectColumns = Record<`${GrantedType}_id`, number | null>;

const objectColumns = grantedTypes.map((type) => columnOf(type));

/** The object that a row names. */
export function objectOf(row: ObjectColumns): ObjectRef {
  for (const type of grantedTypes) {
    const id = row[columnOf(type)];
    if (id !== null) return { type, id };
  }
  throw new Error('A grant or a restriction names no object');
}

/** With each template that a view shows. */
const withTemplate = (object: ObjectRef, templateId: number | null): ObjectRef[] =>
  templateId === null ? [object] : [object, { type: 'template', id: templateId }];

async function listRestricted(db: Db, projectId: number): Promise<ObjectRef[]> {
  const rows = await db
    .selectFrom('restrictions')
    .leftJoin('templates as shown', 'shown.view_id', 'restrictions.view_id')
    .select(objectColumns.map((column) => `restrictions.${column}` as const))
    .select('shown.id as shown_id')
    .where('restrictions.project_id', '=', projectId)
    .execute();
  return rows.flatMap((row) => withTemplate(objectOf(row), row.shown_id));
}

const selectGrants = (db: Db, projectId: number) =>
  db
    .selectFrom('grants')
    .leftJoin('roles', 'roles.id', 'grants.role_id')
    .leftJoin('templates as shown', 'shown.view_id', 'grants.view_id')
    .select(['grants.id', 'grants.user_id', 'grants.role', 'grants.limits'])
    .select(objectColumns.map((column) => `grants.${column}` as const))
    .select(['roles.name as own_name', 'roles.rights as own_rights', 'shown.id as shown_id'])
    .where('grants.project_id', '=', projectId);

type GrantRow = Awaited<ReturnType<ReturnType<typeof selectGrants>['execute']>>[number];

function toGrants(stored: GrantRow): { object: ObjectRef; grant: HeldGrant }[] {
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
  return withTemplate(objectOf(row), row.shown_id).map((object) => ({ object, grant }));
}

/** Of a member with these rights by their role. */
export async function loadObjectRights(
  db: Db,
  { projectId, userId, ofRole }: { projectId: number; userId: number; ofRole: Rights },
): Promise<ObjectRights> {
  const rows = await selectGrants(db, projectId).where('grants.user_id', '=', userId).execute();
  return new ObjectRights(ofRole, rows.flatMap(toGrants), await listRestricted(db, projectId));
}

/** Of every member, on one object only. */
export async function loadRightsOn(
  db: Db,
  projectId: number,
  { type, id }: ObjectRef,
): Promise<(userId: number, ofRole: Rights) => ObjectRights> {
  const rows = await selectGrants(db, projectId)
    .where((eb) =>
      eb.or([
        eb(`grants.${columnOf(type)}`, '=', id),
        ...(type === 'template' ? [eb('shown.id', '=', id)] : []),
      ]),
    )
    .execute();
  const restricted = await listRestricted(db, projectId);
  return (userId, ofRole) => {
    const own = rows.filter((row) => row.user_id === userId);
    return new ObjectRights(ofRole, own.flatMap(toGrants), restricted);
  };
}

/** What belongs to an object and is protected with it, and its table. */
const governedTables = {
  task: 'tasks',
  schedule: 'schedules',
  integration: 'integrations',
  run: 'workflow_runs',
} as const;
export type GovernedNoun = GrantedType | keyof typeof governedTables;

const isGrantedType = (noun: GovernedNoun): noun is GrantedType => !(noun in governedTables);

/** The object that decides about something; null: there is none of this id in the project. */
export async function findGoverning(
  db: Db,
  projectId: number,
  { noun, id }: { noun: GovernedNoun; id: number },
): Promise<ObjectRef | null> {
  if (isGrantedType(noun)) return { type: noun, id };
  if (noun === 'task') {
    const row = await db
      .selectFrom('tasks')
      .select('template_id')
      .where('project_id', '=', projectId)
      .where('id', '=', id)
      .executeTakeFirst();
    return row ? { type: 'template', id: row.template_id } : null;
  }
  if (noun === 'run') {
    const row = await db
      .selectFrom('workflow_runs')
      .select('workflow_id')
      .where('project_id', '=', projectId)
      .where('id', '=', id)
      .executeTakeFirst();
    return row ? { type: 'workflow', id: row.workflow_id } : null;
  }
  const row = await db
    .selectFrom(governedTables[noun])
    .select(['template_id', 'workflow_id'])
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row?.template_id != null) return { type: 'template', id: row.template_id };
  return row?.workflow_id == null ? null : { type: 'workflow', id: row.workflow_id };
}

const governedNouns: readonly string[] = [...grantedTypes, ...Object.keys(governedTables)];

export const isGovernedNoun = (noun: string): noun is GovernedNoun => governedNouns.includes(noun);
