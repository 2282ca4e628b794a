import { sql } from 'kysely';
import type { GroupRule, NewGroupRule } from '#shared/api/identity.ts';
import type { Db } from '../../db/open.ts';

const shown = (db: Db) =>
  db
    .selectFrom('group_rules')
    .leftJoin('projects', 'projects.id', 'group_rules.project_id')
    .select([
      'group_rules.id',
      'source',
      'claim',
      'pattern',
      'project_id',
      'projects.name as project_name',
      'role',
    ]);

const toRule = (row: Omit<GroupRule, 'administrator'>): GroupRule => ({
  ...row,
  administrator: row.project_id === null,
});

export async function listRules(db: Db): Promise<GroupRule[]> {
  const query = shown(db).orderBy('position').orderBy('group_rules.id');
  return (await query.execute()).map(toRule);
}

export async function findRule(db: Db, id: number): Promise<GroupRule | null> {
  const row = await shown(db).where('group_rules.id', '=', id).executeTakeFirst();
  return row ? toRule(row) : null;
}

const toRow = ({ source, claim, pattern, project_id, role }: NewGroupRule) => ({
  source,
  claim,
  pattern,
  project_id,
  role,
});

export async function insertRule(db: Db, rule: NewGroupRule): Promise<number> {
  const row = await db
    .insertInto('group_rules')
    .values((eb) => ({
      ...toRow(rule),
      position: eb
        .selectFrom('group_rules')
        .select(sql<number>`coalesce(max(position) + 1, 0)`.as('position')),
    }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Returns false when there is no such rule. */
export async function updateRule(db: Db, id: number, rule: NewGroupRule): Promise<boolean> {
  const query = db.updateTable('group_rules').set(toRow(rule)).where('id', '=', id);
  return (await query.executeTakeFirst()).numUpdatedRows > 0n;
}

export async function updatePosition(db: Db, id: number, position: number): Promise<void> {
  await db.updateTable('group_rules').set({ position }).where('id', '=', id).execute();
}

export async function removeRule(db: Db, id: number): Promise<void> {
  await db.deleteFrom('group_rules').where('id', '=', id).execute();
}
