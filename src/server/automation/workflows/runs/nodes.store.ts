import { hasRightOn } from '../../../db/rights/right-on.ts';
import { sql } from 'kysely';
import type { Answers } from '#shared/api/task-snapshot.ts';
import type { Failure } from '#shared/catalogue/task-failures.ts';
import type { Reason, Cause, DecisionCode } from '#shared/workflows/decisions.ts';
import { isFinished } from '#shared/task-status.ts';
import type { NodeState } from '#shared/workflows/run-status.ts';
import type { Db } from '../../../db/open.ts';
import { findValue, updateRows } from '../../../db/rows.ts';
import { fromPlain, toPlain, type Plain } from '../../../db/plain-row.ts';
import type { NewRow, Row } from '../../../db/tables.ts';
import type { Params } from '#shared/catalogue/catalogue.ts';

const columns = { reason: 'json', answers: 'json', is_kept: 'flag' } as const;

interface NodeJson {
  reason: Reason | null;
  answers: Answers;
}

export type NodeRow = Plain<Row<'workflow_nodes'>, NodeJson>;
type NewNode = Plain<Omit<NewRow<'workflow_nodes'>, 'id'>, NodeJson>;

const toNode = (row: Row<'workflow_nodes'>): NodeRow =>
  toPlain<Row<'workflow_nodes'>, NodeJson>(columns, row);

export async function insertNodes(db: Db, nodes: NewNode[]): Promise<void> {
  const rows = nodes.map((node) => fromPlain(columns, node) as NewRow<'workflow_nodes'>);
  await db.insertInto('workflow_nodes').values(rows).execute();
}

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

/** The states of the nodes by key, by run id. */
export async function listNodeStates(
  db: Db,
  runIds: number[],
): Promise<Map<number, Map<string, NodeState>>> {
  if (runIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('workflow_nodes')
    .select(['run_id', 'node', 'state'])
    .where('run_id', 'in', runIds)
    .execute();
  const byRun = Map.groupBy(rows, ({ run_id: id }) => id);
  return new Map(
    [...byRun].map(([id, nodes]) => [id, new Map(nodes.map(({ node, state }) => [node, state]))]),
  );
}

/** The failures of the tasks of a run, by task id. */
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

/** The ids of the tasks of a run that are dry runs. */
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

/** The key of the node of a task; null: none. */
export function findNodeOf(db: Db, runId: number, taskId: number): Promise<string | null> {
  return findValue(db, 'workflow_nodes', 'node', { run_id: runId, task_id: taskId });
}

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

type Change = Partial<Omit<NodeRow, 'id' | 'project_id' | 'run_id' | 'node' | 'secret'>>;

export async function updateNode(
  db: Db,
  runId: number,
  node: string,
  change: Change,
): Promise<void> {
  await updateRows(db, 'workflow_nodes', { run_id: runId, node }, fromPlain(columns, change));
}

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

// A literal, so that both engines use the partial index of active nodes.
const active = sql.lit<NodeState>('active');

/** The due nodes of all runs. */
export const listDue = (db: Db, now: string): Promise<{ run_id: number; node: string }[]> =>
  db
    .selectFrom('workflow_nodes')
    .select(['run_id', 'node'])
    .where('state', '=', active)
    .where('until', '<=', now)
    .orderBy('until')
    .orderBy('id')
    .execute();

export async function findNextDue(db: Db): Promise<string | null> {
  const row = await db
    .selectFrom('workflow_nodes')
    .select(({ fn }) => fn.min('until').as('until'))
    .where('state', '=', active)
    .where('until', 'is not', null)
    .executeTakeFirst();
  return row?.until ?? null;
}

/** Active nodes whose ended task has not advanced the run, as on servers without workflows. */
export async function listLeft(db: Db) {
  const nodes = await db
    .selectFrom('workflow_nodes')
    .select(['run_id', 'node'])
    // No join: SQLite would begin with all tasks that have ended.
    .select((eb) =>
      eb
        .selectFrom('tasks')
        .select('status')
        .whereRef('tasks.id', '=', 'workflow_nodes.task_id')
        // Pending follow-ups, such as a further attempt, advance the run themselves.
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

const decisionColumns = { params: 'json', because: 'json' } as const;

export interface NewDecision {
  code: DecisionCode;
  params: Params;
  because?: Cause[];
}

interface DecisionJson {
  params: Params;
  because: Cause[];
}

export async function insertDecision(
  db: Db,
  run_id: number,
  { because = [], ...decision }: NewDecision & { time: string },
): Promise<void> {
  const row = fromPlain(decisionColumns, { run_id, ...decision, because });
  await db
    .insertInto('workflow_decisions')
    .values(row as NewRow<'workflow_decisions'>)
    .execute();
}

export async function listDecisions(db: Db, runId: number) {
  const rows = await db
    .selectFrom('workflow_decisions')
    .selectAll()
    .where('run_id', '=', runId)
    .orderBy('id')
    .execute();
  return rows.map((row) => toPlain<Row<'workflow_decisions'>, DecisionJson>(decisionColumns, row));
}

/**
 * The active nodes without a task, in running runs of the projects of a member; oldest first. `projectIds`: all of
 * them have to be the project of the run.
 */
export const listActiveNodes = (
  db: Db,
  { userId, projectIds, limit }: { userId: number; projectIds: number[]; limit: number },
) =>
  db
    .selectFrom('workflow_nodes')
    .innerJoin('workflow_runs', 'workflow_runs.id', 'workflow_nodes.run_id')
    .innerJoin('projects', 'projects.id', 'workflow_runs.project_id')
    .innerJoin('workflows', 'workflows.id', 'workflow_runs.workflow_id')
    .innerJoin('members', 'members.project_id', 'projects.id')
    .leftJoin('users', 'users.id', 'workflow_runs.user_id')
    .where('members.user_id', '=', userId)
    .where(hasRightOn({ table: 'workflows', user: sql`${userId}` }, 'workflow.approve'))
    .where('workflow_nodes.state', '=', 'active')
    .where('workflow_nodes.task_id', 'is', null)
    .where('workflow_nodes.child_run_id', 'is', null)
    .where('workflow_runs.status', '=', 'running')
    .where((eb) => eb.and(projectIds.map((id) => eb('projects.id', '=', id))))
    .select([
      'projects.id as project_id',
      'projects.name as project_name',
      'workflow_runs.id as run_id',
      'workflow_runs.name',
      'workflow_runs.user_id',
      'workflow_runs.requested_by',
      'workflow_runs.created',
      'workflow_runs.message',
      'users.name as user_name',
      'workflow_nodes.node',
      'workflow_nodes.begin',
      'workflow_nodes.until',
      'members.role',
    ])
    .orderBy('workflow_nodes.id')
    .limit(limit)
    .execute();
