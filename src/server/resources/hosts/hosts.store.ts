import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { type Host, type HostOutcome, type HostTask, shownResults } from '#shared/api/hosts.ts';
import type { RunHost } from '#shared/api/run-results.ts';
import type { Db } from '../../db/open.ts';
import { toPlain } from '../../db/plain-row.ts';
import { contains } from '../../db/search.ts';
import { groupColumns, outcomeOf } from './host-rows.store.ts';

export interface HostFilter {
  sort?: 'name' | 'last_run' | undefined;
  order?: 'asc' | 'desc' | undefined;
  before?: number | undefined;
  outcome?: HostOutcome | undefined;
  q?: string | undefined;
  /** Whether to include hosts that are only in inventories, whose content guests do not see. */
  ofInventories: boolean;
}

const failureColumns = { first_failure: 'json', dry_run: 'flag' } as const;
interface Failure {
  first_failure: RunHost['first_failure'];
}

interface HostColumns {
  id: number;
  name: string;
}

const isInInventory = sql<SqlBool>`exists (
  select 1 from inventory_hosts
  where inventory_hosts.project_id = hosts.project_id and inventory_hosts.host = hosts.name)`;

const columns: Record<'name' | 'last_run', RawBuilder<unknown>> = {
  name: sql`hosts.sort_key`,
  last_run: sql`coalesce(hosts.last_task_id, 0)`,
};
const comparison = { asc: sql`>`, desc: sql`<` };

/** The hosts that a filter keeps of those that the caller may see. */
export function matchingHosts(
  db: Db,
  projectId: number,
  { outcome, q, ofInventories }: Pick<HostFilter, 'outcome' | 'q' | 'ofInventories'>,
) {
  let query = visible(db, projectId, ofInventories);
  if (outcome === 'none') query = query.where('hosts.last_task_id', 'is', null);
  else if (outcome !== undefined) {
    query = query
      .where('hosts.last_outcome', '=', outcome)
      .where('hosts.last_task_id', 'is not', null);
  }
  return q ? query.where(contains(['hosts.name'], q)) : query;
}

const visible = (db: Db, projectId: number, ofInventories: boolean) => {
  const all = db.selectFrom('hosts').where('hosts.project_id', '=', projectId);
  if (!ofInventories) return all.where('hosts.last_task_id', 'is not', null);
  return all.where((eb) => eb.or([eb('hosts.last_task_id', 'is not', null), isInInventory]));
};

/** A page of hosts, without their details. */
export async function listHostRows(
  db: Db,
  projectId: number,
  { sort = 'name', order = 'asc', before, ...filter }: HostFilter,
  limit: number,
): Promise<HostColumns[]> {
  const by = columns[sort];
  let query = matchingHosts(db, projectId, filter)
    .select(['hosts.id', 'hosts.name'])
    .orderBy(by as never, order)
    .orderBy('hosts.id', order)
    .limit(limit);
  if (before !== undefined) {
    const last = db
      .selectFrom('hosts')
      .select([sql`${by}`.as('by'), 'hosts.id'])
      .where('hosts.project_id', '=', projectId)
      .where('hosts.id', '=', before);
    query = query.where(sql<SqlBool>`(${by}, hosts.id) ${comparison[order]} (${last})`);
  }
  return query.execute();
}

export async function findHostRow(
  db: Db,
  projectId: number,
  name: string,
  ofInventories: boolean,
): Promise<HostColumns | null> {
  const row = await visible(db, projectId, ofInventories)
    .select(['hosts.id', 'hosts.name'])
    .where('hosts.name', '=', name)
    .executeTakeFirst();
  return row ?? null;
}

export async function withDetails(
  db: Db,
  projectId: number,
  rows: HostColumns[],
  ofInventories: boolean,
): Promise<Host[]> {
  if (rows.length === 0) return [];
  const names = rows.map(({ name }) => name);
  const ids = rows.map(({ id }) => id);
  const inventories = ofInventories ? await listInventories(db, projectId, names) : [];
  const runs = new Map((await listLastRuns(db, ids)).map(({ name, ...run }) => [name, run]));
  const failures = new Map((await listFailures(db, ids)).map(({ name, ...run }) => [name, run]));
  const results = Map.groupBy(await listResults(db, ids), ({ name }) => name);
  const naming = Map.groupBy(inventories, ({ host }) => host);
  return rows.map(({ id, name }) => ({
    id,
    name,
    inventories: (naming.get(name) ?? []).map(({ host: _host, ...one }) => one),
    last_run: runs.get(name) ?? null,
    last_failure: failures.get(name) ?? null,
    results: (results.get(name) ?? []).map(({ name: _name, ...one }) => one),
  }));
}

/** The inventories that contain the hosts, with the groups of these there. */
export async function listInventories(db: Db, projectId: number, names: string[]) {
  const rows = await db
    .selectFrom('inventory_hosts')
    .innerJoin('inventories', 'inventories.id', 'inventory_hosts.inventory_id')
    .select(['inventory_hosts.host', 'inventories.id', 'inventories.name', 'groups'])
    .where('inventory_hosts.project_id', '=', projectId)
    .where('inventory_hosts.host', 'in', names)
    .orderBy('inventories.name')
    .orderBy('inventories.id')
    .execute();
  return rows.map((row) => toPlain<typeof row, { groups: string[] }>(groupColumns, row));
}

/** The columns of the last task of a host. */
export const ofTask = [
  'tasks.id as task_id',
  'tasks.template_id',
  'templates.name as template_name',
  'tasks.status',
  'tasks.dry_run',
  'tasks.end',
] as const;

async function listLastRuns(db: Db, ids: number[]) {
  const rows = await db
    .selectFrom('hosts')
    .innerJoin('tasks', 'tasks.id', 'hosts.last_task_id')
    .innerJoin('templates', 'templates.id', 'tasks.template_id')
    .select(['hosts.name', 'hosts.last_outcome', ...ofTask])
    .where('hosts.id', 'in', ids)
    .execute();
  return rows.map(({ last_outcome: outcome, ...row }) => ({
    ...row,
    dry_run: row.dry_run === 1,
    outcome: outcome ?? ('skipped' as const),
  }));
}

async function listFailures(db: Db, ids: number[]) {
  const last = db
    .selectFrom('hosts')
    .select([
      'hosts.name',
      // Matches the partial index of failures.
      sql<number | null>`(
        select max(task_hosts.task_id) from task_hosts
        where task_hosts.project_id = hosts.project_id and task_hosts.host = hosts.name
          and failed + unreachable > 0 and task_hosts.task_id <= hosts.last_task_id)`.as('task_id'),
    ])
    .where('hosts.id', 'in', ids);
  const rows = await db
    .selectFrom(last.as('last'))
    .innerJoin('task_hosts', (join) =>
      join
        .onRef('task_hosts.task_id', '=', 'last.task_id')
        .onRef('task_hosts.host', '=', 'last.name'),
    )
    .innerJoin('tasks', 'tasks.id', 'task_hosts.task_id')
    .innerJoin('templates', 'templates.id', 'tasks.template_id')
    .select(['last.name', 'first_failure', outcomeOf('task_hosts').as('outcome'), ...ofTask])
    .execute();
  return rows.map((row) => toPlain<typeof row, Failure>(failureColumns, row));
}

async function listResults(db: Db, ids: number[]) {
  const rows = await db
    .selectFrom('hosts')
    .innerJoin('task_hosts', (join) =>
      join
        .onRef('task_hosts.project_id', '=', 'hosts.project_id')
        .onRef('task_hosts.host', '=', 'hosts.name')
        .onRef('task_hosts.task_id', '<=', 'hosts.last_task_id'),
    )
    .innerJoin('tasks', 'tasks.id', 'task_hosts.task_id')
    .select([
      'hosts.name',
      'task_hosts.task_id',
      'tasks.dry_run',
      outcomeOf('task_hosts').as('outcome'),
    ])
    .where('hosts.id', 'in', ids)
    .where(
      'task_hosts.task_id',
      '>=',
      sql<number>`coalesce((
        select older.task_id from task_hosts as older
        where older.project_id = hosts.project_id and older.host = hosts.name
          and older.task_id <= hosts.last_task_id
        order by older.task_id desc limit 1 offset ${sql.lit(shownResults - 1)}), 0)`,
    )
    .orderBy('task_hosts.task_id')
    .execute();
  return rows.map((row) => ({ ...row, dry_run: row.dry_run === 1 }));
}

/** Newest first. */
export async function listHostTasks(
  db: Db,
  projectId: number,
  host: string,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<HostTask[]> {
  let query = db
    .selectFrom('task_hosts')
    .innerJoin('tasks', 'tasks.id', 'task_hosts.task_id')
    .innerJoin('templates', 'templates.id', 'tasks.template_id')
    .select([
      'task_hosts.task_id as id',
      'tasks.template_id',
      'templates.name as template_name',
      'tasks.status',
      'tasks.dry_run',
      'tasks.created',
      'tasks.start',
      'tasks.end',
      outcomeOf('task_hosts').as('outcome'),
      'task_hosts.ok',
      'task_hosts.changed',
      'task_hosts.unreachable',
      'task_hosts.failed',
      'task_hosts.skipped',
      'task_hosts.rescued',
      'task_hosts.ignored',
      'task_hosts.duration_ms',
      'task_hosts.first_failure',
    ])
    .where('task_hosts.project_id', '=', projectId)
    .where('task_hosts.host', '=', host)
    .orderBy('task_hosts.task_id', 'desc')
    .limit(limit);
  if (before !== undefined) query = query.where('task_hosts.task_id', '<', before);
  const rows = await query.execute();
  return rows.map((row) => toPlain<typeof row, Failure>(failureColumns, row));
}
