import type { RunDecision, RunNode, ShortRun, WorkflowRun } from '#shared/api/workflow-runs.ts';
import type { Launcher } from '#shared/api/launcher.ts';
import { type Failure, taskFailures } from '#shared/catalogue/task-failures.ts';
import type { RunStatus } from '#shared/workflows/run-status.ts';
import { type DecisionCode, decisionMessage, nodeFailures } from '#shared/workflows/decisions.ts';
import type { Context } from '../../../context/context.ts';
import { findLauncher } from '../../../db/launcher.ts';
import { fail } from '../../../lib/errors.ts';
import { readPage, type Page } from '../../../lib/page.ts';
import {
  listDecisions,
  listActive,
  listDryRuns,
  listFailures,
  listNodes,
  type NodeRow,
} from './nodes.store.ts';
import {
  findRun,
  listNames,
  listNewestRuns,
  listGraphs,
  listRuns,
  requesterOf,
  type RunRow,
  type ShortRunRow,
} from './runs.store.ts';
import type { AlertRun } from '#shared/api/alert-deliveries.ts';
import { whyFailed } from '../../tasks/results/why-failed.ts';

export { hasUnfinishedRun } from './runs.store.ts';

const DEFAULT_LIMIT = 200;

export async function requireRunRow(ctx: Context, projectId: number, id: number): Promise<RunRow> {
  const run = await findRun(ctx.db, projectId, id);
  if (!run) throw fail('workflow_run.not_found');
  return run;
}

/** Returns a function that finds what launched a run: its enclosing run, a schedule or an integration. */
async function findLaunchers(
  { db }: Context,
  runs: ShortRunRow[],
): Promise<(run: ShortRunRow) => Launcher | null> {
  const parentIds = runs.map((run) => run.parent_run_id);
  const parents = await listNames(db, 'workflow_runs', parentIds);
  const scheduleIds = runs.map((run) => run.schedule_id);
  const schedules = await listNames(db, 'schedules', scheduleIds);
  const integrationIds = runs.map((run) => run.integration_id);
  const integrations = await listNames(db, 'integrations', integrationIds);
  const named = (names: Map<number, string>, id: number | null) => ({
    id,
    name: id === null ? null : (names.get(id) ?? null),
  });
  return (run) =>
    findLauncher(
      {
        workflow: named(parents, run.parent_run_id),
        schedule: named(schedules, run.schedule_id),
        integration: named(integrations, run.integration_id),
      },
      run.name,
    );
}

/** Adds launchers and pending approvals, with one statement each for all runs. */
async function toShort(ctx: Context, runs: ShortRunRow[]): Promise<ShortRun[]> {
  const userIds = runs.map((run) => run.user_id);
  const names = await listNames(ctx.db, 'users', userIds);
  const launcherOf = await findLaunchers(ctx, runs);
  const unfinished = runs.filter(({ end }) => end === null).map(({ id }) => id);
  const active = Map.groupBy(await listActive(ctx.db, unfinished), (one) => one.run_id);
  const graphs = await listGraphs(ctx.db, unfinished);
  return runs.map((run) => {
    const keys = new Set((active.get(run.id) ?? []).map(({ node }) => node));
    const nodes = graphs.get(run.id)?.nodes ?? [];
    return {
      ...run,
      requested_by: requesterOf(run),
      user_name: run.user_id === null ? null : (names.get(run.user_id) ?? null),
      launcher: launcherOf(run),
      waits_for: nodes
        .filter(({ key, type }) => type === 'approval' && keys.has(key))
        .map(({ name }) => name),
    };
  });
}

interface RunQuery {
  workflow_id?: number | undefined;
  status?: RunStatus | undefined;
  state?: 'unfinished' | undefined;
  limit?: number | undefined;
  before?: number | undefined;
}

export async function getRuns(
  ctx: Context,
  projectId: number,
  { workflow_id: workflowId, status, state, limit = DEFAULT_LIMIT, before }: RunQuery,
): Promise<Page<ShortRun>> {
  const page = await readPage(limit, (count) =>
    listRuns(ctx.db, projectId, {
      workflowId,
      status,
      isUnfinished: state !== undefined,
      before,
      limit: count,
    }),
  );
  return { ...page, items: await toShort(ctx, page.items) };
}

/** The newest runs by workflow id. */
export async function getNewestRuns(
  ctx: Context,
  projectId: number,
  workflowIds: number[],
): Promise<Map<number, ShortRun>> {
  const runs = await toShort(ctx, await listNewestRuns(ctx.db, projectId, workflowIds));
  return new Map(runs.map((run) => [run.workflow_id, run]));
}

export async function getRun(ctx: Context, projectId: number, id: number): Promise<WorkflowRun> {
  const run = await requireRunRow(ctx, projectId, id);
  const { graph, extracted: _extracted, ...row } = run;
  const [short] = await toShort(ctx, [row]);
  if (!short) throw fail('workflow_run.not_found');
  const nodes = await listNodes(ctx.db, [run.id]);
  const failures = await listFailures(ctx.db, run.id);
  const dryRuns = await listDryRuns(ctx.db, run.id);
  const shown = nodes.map((node) => ({
    ...toNode(node, failures),
    dry_run: dryRuns.has(node.task_id),
  }));
  return { ...short, graph, nodes: shown };
}

function toNode(
  { node: key, child_run_id, reason, ...row }: NodeRow,
  failures: ReadonlyMap<number | null, Failure>,
): Omit<RunNode, 'dry_run'> {
  const failure = failures.get(row.task_id) ?? null;
  return {
    ...row,
    key,
    run_id: child_run_id,
    reason: reason && { ...reason, text: nodeFailures.message(reason) },
    failure: failure && { ...failure, text: taskFailures.message(failure) },
  };
}

export async function getDecisions(
  ctx: Context,
  projectId: number,
  id: number,
): Promise<RunDecision[]> {
  const run = await requireRunRow(ctx, projectId, id);
  const rows = await listDecisions(ctx.db, run.id);
  return rows.map(({ run_id: _run, ...row }) => {
    const code = row.code as DecisionCode;
    return { ...row, code, text: decisionMessage({ code, params: row.params }, row.because) };
  });
}

/** The failed nodes of a run with one sentence each. */
export async function listFailedNodes(
  { db }: Context,
  { id, graph }: Pick<RunRow, 'id' | 'graph'>,
): Promise<AlertRun['failed_nodes']> {
  const names = new Map(graph.nodes.map(({ key, name }) => [key, name]));
  const failed = (await listNodes(db, [id])).filter(({ state }) => state === 'failure');
  const list: AlertRun['failed_nodes'] = [];
  for (const row of failed) {
    list.push({ name: names.get(row.node) ?? row.node, reason: await reasonOf({ db }, row) });
  }
  return list;
}

/** Empty if unknown. */
async function reasonOf(
  { db }: Pick<Context, 'db'>,
  { reason, task_id: taskId, child_run_id: runId }: NodeRow,
): Promise<string> {
  if (reason) return nodeFailures.message(reason);
  if (runId !== null) return `Run #${runId} did not succeed.`;
  return taskId === null ? '' : whyFailed(db, taskId);
}
