import { sql } from 'kysely';
import type { GroupRule, NewGroupRule } from '#shared/api/identity.ts';
import { columnOf, grantedTypes } from '#shared/grants/granted-types.ts';
import type { GrantLimits } from '#shared/grants/limits.ts';
import type { Db } from '../../db/open.ts';
import { fromPlain, toPlain } from '../../db/plain-row.ts';
import { namedObject, nameOfObject } from '../../db/rights/named-object.store.ts';
import { type FoundRole, rightsOf } from '../../db/rights/role-rights.ts';
import { type Rights, roleNameOf } from '#shared/rights.ts';

const shown = (db: Db) =>
  db
    .selectFrom('group_rules')
    .leftJoin('projects', 'projects.id', 'group_rules.project_id')
    .leftJoin('roles', 'roles.id', 'group_rules.role_id')
    .select([
      'group_rules.id',
      'source',
      'claim',
      'pattern',
      'group_rules.project_id',
      'projects.name as project_name',
      'role',
      'role_id',
      'roles.name as own_name',
      'roles.rights as own_rights',
      'group_rules.limits',
    ])
    .select(namedObject('group_rules'))
    .select(nameOfObject('group_rules').as('object_name'));

/** With the rights that its role gives. */
export type RuleWithRights = GroupRule & { role_id: number | null; rights: Rights };

type RuleRow = Awaited<ReturnType<ReturnType<typeof shown>['execute']>>[number];

function toRule(stored: RuleRow): RuleWithRights {
  const row = toPlain<RuleRow, { limits: GrantLimits }>({ limits: 'json' }, stored);
  return {
    id: row.id,
    source: row.source,
    claim: row.claim,
    pattern: row.pattern,
    project_id: row.project_id,
    project_name: row.project_name,
    role: row.role,
    role_id: row.role_id,
    role_name: row.role === null ? null : roleNameOf(row.role, row.own_name),
    object_type: row.object_type,
    object_id: row.object_id,
    object_name: row.object_name,
    limits: row.limits,
    administrator: row.project_id === null,
    rights: rightsOf({ role: row.role, rights: row.own_rights }),
  };
}

export async function listRules(db: Db): Promise<RuleWithRights[]> {
  const query = shown(db).orderBy('position').orderBy('group_rules.id');
  return (await query.execute()).map(toRule);
}

export async function findRule(db: Db, id: number): Promise<GroupRule | null> {
  const row = await shown(db).where('group_rules.id', '=', id).executeTakeFirst();
  return row ? toRule(row) : null;
}

/** Null: the rule gives no role. */
type GivenRole = Pick<FoundRole, 'slug' | 'id'> | null;

const toRow = (
  { source, claim, pattern, project_id, object_type: type, object_id, limits }: NewGroupRule,
  role: GivenRole,
) => ({
  source,
  claim,
  pattern,
  project_id,
  role: role?.slug ?? null,
  role_id: role?.id ?? null,
  ...Object.fromEntries(
    grantedTypes.map((one) => [columnOf(one), one === type ? object_id : null]),
  ),
  limits: fromPlain({ limits: 'json' }, { limits })['limits'] as string,
});

export async function insertRule(db: Db, rule: NewGroupRule, role: GivenRole): Promise<number> {
  const row = await db
    .insertInto('group_rules')
    .values((eb) => ({
      ...toRow(rule, role),
      position: eb
        .selectFrom('group_rules')
        .select(sql<number>`coalesce(max(position) + 1, 0)`.as('position')),
    }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Returns false when there is no such rule. */
export async function updateRule(
  db: Db,
  id: number,
  rule: NewGroupRule,
  role: GivenRole,
): Promise<boolean> {
  const query = db.updateTable('group_rules').set(toRow(rule, role)).where('id', '=', id);
  return (await query.executeTakeFirst()).numUpdatedRows > 0n;
}

export async function updatePosition(db: Db, id: number, position: number): Promise<void> {
  await db.updateTable('group_rules').set({ position }).where('id', '=', id).execute();
}

export async function removeRule(db: Db, id: number): Promise<void> {
  await db.deleteFrom('group_rules').where('id', '=', id).execute();
}
