// Fact sets of hosts, deduplicated, and the runs that reported them.

import type { ExpressionBuilder } from 'kysely';
import type { FactRun } from '#shared/api/hosts.ts';
import type { Db } from '../../db/open.ts';
import { fromPlain, toPlain } from '../../db/plain-row.ts';
import type { NewRow, Tables } from '../../db/tables.ts';

/** Names of the facts that a project stores. */
export async function listFactNames(db: Db, projectId: number): Promise<string[]> {
  const row = await db
    .selectFrom('projects')
    .select('host_facts')
    .where('id', '=', projectId)
    .executeTakeFirst();
  if (!row) return [];
  return toPlain<typeof row, { host_facts: string[] }>({ host_facts: 'json' }, row).host_facts;
}

/** A run that reported facts of a host. */
export interface ReportedSet extends FactRun {
  set: number;
}

/** Newest first. */
export async function listReportedSets(
  db: Db,
  projectId: number,
  host: string,
  limit: number,
): Promise<ReportedSet[]> {
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

/** Inserts the set if missing; returns its id. The caller holds the lock of the project. */
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

/** Deletes fact sets without a run. The caller holds the lock of the project. */
export async function removeUnreferencedSets(db: Db, projectId: number): Promise<void> {
  await db
    .deleteFrom('fact_sets')
    .where('project_id', '=', projectId)
    .where(isUnreferenced)
    .execute();
}

const isUnreferenced = ({ not, exists, selectFrom }: ExpressionBuilder<Tables, 'fact_sets'>) =>
  not(
    exists(
      selectFrom('task_hosts')
        .select('task_hosts.fact_set_id')
        .whereRef('task_hosts.fact_set_id', '=', 'fact_sets.id'),
    ),
  );
