// The rows of the tasks that a runner holds.

import type { ExpressionBuilder } from 'kysely';
import { runningStatuses } from '#shared/task-status.ts';
import type { Db } from '../../../db/open.ts';
import { prepared } from '../../../db/prepared.ts';
import type { Row, Tables } from '../../../db/tables.ts';

type TaskRow = Row<'tasks'>;

/** Null: the runner beside the server with the embedded database. */
type RunnerId = number | null;

const isHeldBy =
  (runnerId: RunnerId) =>
  ({ eb, and }: ExpressionBuilder<Tables, 'tasks'>) =>
    and([
      eb('status', 'in', runningStatuses),
      eb('runner_id', runnerId === null ? 'is' : '=', runnerId),
    ]);

/** The columns that a runner receives of a task. */
export const heldColumns = [
  'id',
  'project_id',
  'template_id',
  'lease',
  'runner_name',
  'status',
  'start',
  'version',
  'commit_hash',
  'log_lines',
  'spool_offset',
  'results',
  'step',
  'attempt',
  'attempts',
  'commands',
  'confirmed_at',
  'snapshot',
  'environment',
] as const;

export type HeldRow = Pick<TaskRow, (typeof heldColumns)[number]>;

export async function listHeldRows(
  db: Db,
  runnerId: RunnerId,
  except: number[] = [],
): Promise<HeldRow[]> {
  let rows = db.selectFrom('tasks').select(heldColumns).where(isHeldBy(runnerId));
  if (except.length > 0) rows = rows.where('id', 'not in', except);
  return rows.orderBy('id').execute();
}

export const findHeldRow = (db: Db, runnerId: RunnerId, id: number): Promise<HeldRow | undefined> =>
  db
    .selectFrom('tasks')
    .select(heldColumns)
    .where('id', '=', id)
    .where(isHeldBy(runnerId))
    .executeTakeFirst();

/** Without the snapshot and the answers, which may have megabytes. */
export const findShortHeldRow = (
  db: Db,
  runnerId: RunnerId,
  id: number,
): Promise<ShortHeldRow | undefined> =>
  db
    .selectFrom('tasks')
    .select(['id', 'project_id', 'template_id', 'lease', 'log_lines'])
    .where('id', '=', id)
    .where(isHeldBy(runnerId))
    .modifyEnd(prepared('find_held'))
    .executeTakeFirst();

export type ShortHeldRow = Pick<
  TaskRow,
  'id' | 'project_id' | 'template_id' | 'lease' | 'log_lines'
>;

/** The sealed answers to the secret variables of a task; null: it has none. */
export async function findSealedAnswers(db: Db, id: number): Promise<string | null> {
  const row = await db.selectFrom('tasks').select('secret').where('id', '=', id).executeTakeFirst();
  return row?.secret ?? null;
}
