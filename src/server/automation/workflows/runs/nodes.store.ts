import { sql } from 'kysely';
import type { Answers } from '#shared/api/task-snapshot.ts';
import type { Failure } from '#shared/catalogue/task-failures.ts';
import type { Reason } from '#shared/workflows/decisions.ts';
import { isFinished, type TaskStatus } from '#shared/task-status.ts';
import type { NodeState } from '#shared/workflows/run-status.ts';
import type { Db } from '../../../db/open.ts';
import { fromPlain, toPlain, type Plain } from '../../../db/plain-row.ts';
import type { NewRow, Row } from '../../../db/tables.ts';

const columns = { reason: 'json', answers: 'json', is_kept: 'flag' } as const;

interface NodeJson {
  reason: Reason | null;
  answers: Answers;
}

export type NodeRow = Plain<Row<'workflow_nodes'>, NodeJson>;
type NewNode = Plain<Omit<NewRow<'workflow_nodes'>, 'id'>, NodeJson>;

const toNode = (row: Row<'workflow_nodes'>): NodeRow =>
  toPlain<Row<'workflow_nodes'>, NodeJson>(columns, row);

/** Adds the nodes of a run; returns the ids of their rows. */
export async function insertNodes(
  db: Db,
  nodes: NewNode[],
): Promise<{ id: number; node: string }[]> {
  const rows = nodes.map((node) => fromPlain(columns, node) as NewRow<'workflow_nodes'>);
  return db.insertInto('workflow_nodes').values(rows).returning(['id', 'node']).execute();
}

/** The nodes of these runs. */
export async function listNodes(db: Db, runIds: number[]): Promise<NodeRow[]> {
  if (runIds.length === 0) return [];
  const rows = await db
    .selectFrom('workflow_nodes')
    .selectAll()
    .where('run_id', 'in', runIds)
    .orderBy('id')
    .execute();
  return rows.map(toNode);
}

/** Why the tasks of the nodes of a run failed, by the ids of the tasks. */
export async function listFailures(db: Db, runId: number): Promise<Map<number, Failure>> {
  const rows = await db
    .selectFrom('workflow_nodes')
    .innerJoin('tasks', 'tasks.id', 'workflow_nodes.task_id')
    .select(['tasks.id', 'tasks.failure'])
    .where('workflow_nodes.run_id', '=', runId)
    .where('tasks.failure', 'is not', null)
    .execute();
  const plain = rows.map((row) =>
    toPlain<(typeof rows)[number], { failure: Failure }>({ failure: 'json' }, row),
  );
  return new Map(plain.map(({ id, failure }) => [id, failure]));
}

/** Which of the tasks of the nodes of a run are dry runs. */
export async function listDryRuns(db: Db, runId: number): Promise<Set<number | null>> {
  const rows = await db
    .selectFrom('workflow_nodes')
    .innerJoin('tasks', 'tasks.id', 'workflow_nodes.task_id')
    .select('tasks.id')
    .where('workflow_nodes.run_id', '=', runId)
    .where('tasks.dry_run', '=', 1)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** The key of the node of a run whose task this is; null: it is of none. */
export async function findNodeOf(db: Db, runId: number, taskId: number): Promise<string | null> {
  const row = await db
    .selectFrom('workflow_nodes')
    .select('node')
    .where('run_id', '=', runId)
    .where('task_id', '=', taskId)
    .executeTakeFirst();
  return row?.node ?? null;
}

/** The active nodes of these runs, by their keys. */
export async function listActive(
  db: Db,
  runIds: number[],
): Promise<{ run_id: number; node: string }[]> {
  if (runIds.length === 0) return [];
  return db
    .selectFrom('workflow_nodes')
    .select(['run_id', 'node'])
    .where('run_id', 'in', runIds)
    .where('state', '=', 'active')
    .orderBy('id')
    .execute();
}

type Change = Partial<
  Pick<
    NodeRow,
    | 'state'
    | 'task_id'
    | 'child_run_id'
    | 'begin'
    | 'end'
    | 'until'
    | 'reason'
    | 'is_kept'
    | 'decided_by'
    | 'answers'
  >
>;

export async function updateNode(
  db: Db,
  runId: number,
  node: string,
  change: Change,
): Promise<void> {
  await db
    .updateTable('workflow_nodes')
    .set(fromPlain(columns, change))
    .where('run_id', '=', runId)
    .where('node', '=', node)
    .execute();
}

/** Gives several nodes the same state. */
export async function updateStates(
  db: Db,
  runId: number,
  nodes: string[],
  state: NodeState,
): Promise<void> {
  if (nodes.length === 0) return;
  await db
    .updateTable('workflow_nodes')
    .set({ state })
    .where('run_id', '=', runId)
    .where('node', 'in', nodes)
    .execute();
}

// Written out, so that both engines see that the index of active nodes will do.
const active = sql.lit<NodeState>('active');

/** The active nodes of all runs whose time has come. */
export const listDue = (db: Db, now: string): Promise<{ run_id: number; node: string }[]> =>
  db
    .selectFrom('workflow_nodes')
    .select(['run_id', 'node'])
    .where('state', '=', active)
    .where('until', '<=', now)
    .orderBy('until')
    .orderBy('id')
    .execute();

/** When the next active node is due; null: none will be. */
export async function findNextDue(db: Db): Promise<string | null> {
  const row = await db
    .selectFrom('workflow_nodes')
    .select(({ fn }) => fn.min('until').as('until'))
    .where('state', '=', active)
    .where('until', 'is not', null)
    .executeTakeFirst();
  return row?.until ?? null;
}

interface Left {
  run_id: number;
  node: string;
  status: TaskStatus;
}

/** Active nodes whose task has ended without telling their run, as those of servers before workflows do. */
export async function listLeft(db: Db): Promise<Left[]> {
  const nodes = await db
    .selectFrom('workflow_nodes')
    .select(['run_id', 'node'])
    // No join: SQLite would begin with all tasks that have ended.
    .select((eb) =>
      eb
        .selectFrom('tasks')
        .select('status')
        .whereRef('tasks.id', '=', 'workflow_nodes.task_id')
        // What follows from its end, a further attempt perhaps, tells the run itself.
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('task_follow_ups')
                .select('task_id')
                .whereRef('task_follow_ups.task_id', '=', 'tasks.id'),
            ),
          ),
        )
        .as('status'),
    )
    .where('state', '=', active)
    .orderBy('until')
    .orderBy('id')
    .execute();
  return nodes.flatMap(({ status, ...node }) =>
    status !== null && isFinished(status) ? [{ ...node, status }] : [],
  );
}
