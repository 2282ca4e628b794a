import { sql } from 'kysely';
import type { PublicKey } from '#shared/api/runner-api.ts';
import { runningStatuses, unfinishedStatuses } from '#shared/task-status.ts';
import { databaseTime } from '../db/clock.ts';
import type { Db } from '../db/open.ts';
import { findValue, updateRows } from '../db/rows.ts';
import { fromPlain, toPlain, type Plain } from '../db/plain-row.ts';
import { prepared, written } from '../db/prepared.ts';
import { toFlag } from '../db/row.ts';
import type { NewRow, Row } from '../db/tables.ts';

export const runnerColumns = {
  tags: 'json',
  draining: 'flag',
  closed: 'flag',
  out_of_room: 'flag',
  remote: 'flag',
  public_key: 'json',
} as const;

interface RunnerJson {
  tags: string[];
  public_key: PublicKey | null;
}

export type PlainRunner = Plain<Row<'runners'>, RunnerJson>;

export type NewRunnerRow = Plain<NewRow<'runners'>, RunnerJson>;

type Hidden = 'registration' | 'registration_expires' | 'credential' | 'public_key';

/** A runner with its number of tasks and the time since its last heartbeat. */
export interface SeenRunner extends Omit<PlainRunner, Hidden> {
  /** Whether it may poll: it has the database or a credential. */
  isKnown: boolean;
  running: number;
  /** In milliseconds, by the clock of the database. */
  silence: number;
}

/** Inserts or takes over the row of this runner. */
export async function enterRunner(
  db: Db,
  values: Omit<
    NewRunnerRow,
    'id' | 'started' | 'last_seen' | 'draining' | 'closed' | 'load' | 'out_of_room'
  >,
): Promise<number> {
  const now = databaseTime(db);
  const row = fromPlain(runnerColumns, values) as NewRow<'runners'>;
  const { uid: _uid, ...changes } = row;
  const { id } = await db
    .insertInto('runners')
    .values({ ...row, started: now, last_seen: now })
    .onConflict((conflict) =>
      conflict.column('uid').doUpdateSet({ ...changes, closed: 0, started: now, last_seen: now }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Returns false if another process has registered as this runner. */
export function storeHeartbeat(
  db: Db,
  { id, session }: { id: number; session: string },
  load: number,
): Promise<boolean> {
  return updateRows(db, 'runners', { id, session }, { last_seen: databaseTime(db), load });
}

/** Returns whether the value has changed. */
export function noteRoom(db: Db, id: number, hasRoom: boolean): Promise<boolean> {
  return updateRows(
    db,
    'runners',
    { id, out_of_room: toFlag(hasRoom) },
    { out_of_room: toFlag(!hasRoom) },
  );
}

/** Empty: it has none. */
export async function updateRunnerEngine(db: Db, id: number, engine: string): Promise<void> {
  await updateRows(db, 'runners', { id }, { container_engine: engine });
}

/** No-op if another process has registered as this runner. */
export async function storeClosed(db: Db, { id, session }: { id: number; session: string }) {
  await updateRows(db, 'runners', { id, session }, { closed: toFlag(true) });
}

/** Runners with the database time and their number of tasks. */
function selectSeen(db: Db) {
  return db
    .selectFrom('runners')
    .leftJoin(
      (eb) =>
        eb
          .selectFrom('tasks')
          .select(({ fn }) => ['runner_id', fn.countAll<number>().as('running')])
          .where('status', 'in', written(runningStatuses))
          .groupBy('runner_id')
          .as('held'),
      (join) => join.onRef('held.runner_id', '=', 'runners.id'),
    )
    .select((eb) => [
      databaseTime(db).as('now'),
      eb.fn.coalesce('held.running', eb.lit(0)).as('running'),
    ]);
}

type SeenRow = Row<'runners'> & { now: string; running: number };

const silenceOf = ({ now, last_seen: seen }: Pick<SeenRow, 'now' | 'last_seen'>): number =>
  Date.parse(now) - Date.parse(seen);

function toSeen({ now, running, ...whole }: SeenRow): SeenRunner {
  const plain = toPlain<Row<'runners'>, RunnerJson>(runnerColumns, whole);
  const { registration: _r, registration_expires: _e, credential, public_key: _k, ...row } = plain;
  return {
    ...row,
    isKnown: !row.remote || credential !== null,
    running,
    silence: silenceOf({ now, last_seen: row.last_seen }),
  };
}

export async function listSeen(db: Db): Promise<SeenRunner[]> {
  const rows = await selectSeen(db).selectAll('runners').orderBy('runners.id').execute();
  return rows.map(toSeen);
}

export async function findSeen(db: Db, id: number): Promise<SeenRunner | null> {
  const row = await selectSeen(db)
    .selectAll('runners')
    .where('runners.id', '=', id)
    .executeTakeFirst();
  return row ? toSeen(row) : null;
}

const placeColumns = [
  'id',
  'name',
  'project_id',
  'tags',
  'max_parallel_tasks',
  'most_tasks',
  'out_of_room',
  'container_engine',
  'remote',
  'last_seen',
] as const;

/** A runner that accepts tasks unless it is silent. */
export type OpenRunner = Pick<SeenRunner, 'silence' | 'running'> &
  Pick<PlainRunner, Exclude<(typeof placeColumns)[number], 'last_seen'>>;

/** Runners that may poll and are neither drained nor closed. */
export async function listOpen(db: Db): Promise<OpenRunner[]> {
  const rows = await selectSeen(db)
    .select(placeColumns.map((column) => `runners.${column}` as const))
    .where('role', '!=', 'web')
    .where('draining', '=', toFlag(false))
    .where('closed', '=', toFlag(false))
    .where((eb) => eb.or([eb('remote', '=', toFlag(false)), eb('credential', 'is not', null)]))
    .orderBy('runners.id')
    .modifyEnd(prepared('list_open_runners'))
    .execute();
  const columns = { tags: 'json', remote: 'flag' } as const;
  return rows.map(({ now, last_seen, ...row }) => ({
    ...toPlain<typeof row, Pick<RunnerJson, 'tags'>>(columns, row),
    silence: silenceOf({ now, last_seen }),
  }));
}

/** Locks the runner against assignments by other servers until the transaction ends. */
export function lockRunner(db: Db, id: number): Promise<boolean> {
  return updateRows(
    db,
    'runners',
    { id, draining: toFlag(false) },
    { draining: sql.ref('draining') },
  );
}

/** Null for the server with the embedded database. */
export async function countTasksOf(db: Db, runnerId: number | null): Promise<number> {
  const { count } = await db
    .selectFrom('tasks')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('runner_id', runnerId === null ? 'is' : '=', runnerId)
    .where('status', 'in', runningStatuses)
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns false if the runner is missing. */
export function updateDraining(db: Db, id: number, draining: boolean): Promise<boolean> {
  return updateRows(db, 'runners', { id }, { draining: toFlag(draining) });
}

/** At most ten. */
export async function listUnfinishedOf(db: Db, runnerId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('tasks')
    .select('id')
    .where('runner_id', '=', runnerId)
    .where('status', 'in', unfinishedStatuses)
    .orderBy('id')
    .limit(10)
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns false if tasks are bound to the runner, or it has sent a heartbeat since it was read. */
export async function deleteRunner(db: Db, { id, last_seen: seen }: SeenRunner): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('runners')
    .where('id', '=', id)
    .where('last_seen', '=', seen)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('tasks')
            .select('id')
            .where('runner_id', '=', id)
            .where('status', 'in', unfinishedStatuses),
        ),
      ),
    )
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Returns false if the runner has no row. */
export function updateCleaning(db: Db, id: number, asked: string): Promise<boolean> {
  return updateRows(db, 'runners', { id }, { cleaning_requested: asked });
}

export function findCleaning(db: Db, id: number): Promise<string | null> {
  return findValue(db, 'runners', 'cleaning_requested', { id });
}

/** Marks all servers as stopped. */
export async function closeServers(db: Db): Promise<void> {
  await db.updateTable('runners').set({ closed: 1 }).where('remote', '=', 0).execute();
}
