// Keeps the facts of hosts, each set once, and reads those that a host had in its runs.

import type { ExpressionBuilder } from 'kysely';
import type { FactRun } from '#shared/api/hosts.ts';
import type { Db } from '../../db/open.ts';
import { fromPlain, toPlain } from '../../db/plain-row.ts';
import type { NewRow, Tables } from '../../db/tables.ts';

/** The facts that a project keeps. */
export async function listFactNames(db: Db, projectId: number): Promise<string[]> {
  const row = await db
    .selectFrom('projects')
    .select('host_facts')
    .where('id', '=', projectId)
    .executeTakeFirst();
  if (!row) return [];
  return toPlain<typeof row, { host_facts: string[] }>({ host_facts: 'json' }, row).host_facts;
}

/** A run that has told facts of a host. */
export interface ToldSet extends FactRun {
  set: number;
}

/** The runs that have told facts of a host, the newest first. */
export async function listToldSets(
  db: Db,
  projectId: number,
  host: string,
  limit: number,
): Promise<ToldSet[]> {
  return db
    .selectFrom('task_hosts')
    .innerJoin('tasks', 'tasks.id', 'task_hosts.task_id')
    .select(['task_hosts.task_id', 'tasks.start as time'])
    .select('task_hosts.fact_set_id as set')
    .where('task_hosts.project_id', '=', projectId)
    .where('task_hosts.host', '=', host)
    .where('task_hosts.fact_set_id', 'is not', null)
    .orderBy('task_hosts.task_id', 'desc')
    .limit(limit)
    .$narrowType<{ set: number }>()
    .execute();
}

export type FactValues = Record<string, string>;
const columns = { facts: 'json' } as const;

/** The values of these sets. */
export async function readSets(db: Db, ids: number[]): Promise<Map<number, FactValues>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('fact_sets')
    .select(['id', 'facts'])
    .where('id', 'in', ids)
    .execute();
  return new Map(
    rows.map((row) => {
      const { id, facts } = toPlain<typeof row, { facts: FactValues }>(columns, row);
      return [id, facts];
    }),
  );
}

/** Returns the set with these facts. The caller has locked the project. */
export async function holdSet(
  db: Db,
  values: { project_id: number; hash: string; facts: FactValues },
): Promise<number> {
  const row = await db
    .insertInto('fact_sets')
    .values(fromPlain(columns, values) as NewRow<'fact_sets'>)
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'hash']).doUpdateSet({ hash: values.hash }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Deletes the facts of a project that no run has told. The caller has locked the project. */
export async function removeUntold(db: Db, projectId: number): Promise<void> {
  await db.deleteFrom('fact_sets').where('project_id', '=', projectId).where(isUntold).execute();
}

const isUntold = ({ not, exists, selectFrom }: ExpressionBuilder<Tables, 'fact_sets'>) =>
  not(
    exists(
      selectFrom('task_hosts')
        .select('task_hosts.fact_set_id')
        .whereRef('task_hosts.fact_set_id', '=', 'fact_sets.id'),
    ),
  );
