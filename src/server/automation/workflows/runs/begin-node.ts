// Begins a node of a run: launches its task or its workflow, or stores until when it waits.

import { newTask } from '#shared/api/tasks.ts';
import type { Reason } from '#shared/workflows/decisions.ts';
import type {
  ApprovalNode,
  TemplateNode,
  WaitNode,
  WorkflowNode,
} from '#shared/workflows/graph.ts';
import { raiseApproval } from '../../../alerts/alert-deliveries/raise-alerts.ts';
import type { Context } from '../../../context/context.ts';
import { withSavepoint } from '../../../db/savepoint.ts';
import { nextDue } from '../../../lib/cron.ts';
import { AppError } from '../../../lib/errors.ts';
import { startTask } from '../../tasks/start-task.ts';
import { listMembers } from '../definitions/workflows.store.ts';
import { listNodes, updateNode, type NodeRow } from './nodes.store.ts';
import { openRunValues, readInputs, type NodeValues } from './node-values.ts';
import { requesterOf, type RunRow } from './runs.store.ts';

/** The outcome of a node that could not begin, or ended at once; null: it goes on. */
export type ImmediateOutcome = { outcome: 'success' | 'failure'; reason: Reason | null } | null;

/** Launches a workflow as a node of a run. */
type BeginNested = (node: Extract<WorkflowNode, { type: 'workflow' }>) => Promise<ImmediateOutcome>;

interface Beginning {
  run: RunRow;
  nested: BeginNested;
}

export async function beginNode(
  ctx: Context,
  beginning: Beginning,
  node: WorkflowNode,
): Promise<ImmediateOutcome> {
  try {
    switch (node.type) {
      case 'template':
        return await beginTask(ctx, beginning, node);
      case 'approval':
        return await beginApproval(ctx, beginning.run, node);
      case 'wait':
        await updateNode(ctx.db, beginning.run.id, node.key, { until: endOfWait(ctx, node) });
        return null;
      case 'workflow':
        return await beginning.nested(node);
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const fields = error.fields.map(({ path, message }) => `${path}: ${message}`).join('; ');
    const params = { node: node.name, reason: fields || error.message };
    return { outcome: 'failure', reason: { code: 'reason.launch', params } };
  }
}

async function beginTask(
  ctx: Context,
  { run }: Beginning,
  node: TemplateNode,
): Promise<ImmediateOutcome> {
  const rows = new Map((await listNodes(ctx.db, [run.id])).map((row) => [row.node, row]));
  const inputs = await readInputs(ctx, { graph: run.graph, rows }, node);
  if ('reason' in inputs) return { outcome: 'failure', reason: inputs.reason };
  const build = buildOf(node, run, rows);
  if (build instanceof Object) return { outcome: 'failure', reason: build };
  const launch = newTask.parse({
    ...node.params,
    template_id: node.template_id,
    build_task_id: build,
  });
  const of = { runId: run.id, key: node.key };
  const { id } = await withSavepoint(ctx.db, () =>
    startTask(ctx, run.project_id, launch, { ...withRunValues(ctx, run, inputs), node: of }),
  );
  await updateNode(ctx.db, run.id, node.key, { task_id: id });
  return null;
}

/** Adds the values of the launch of the run; outputs of its nodes override them. */
function withRunValues(ctx: Context, run: RunRow, { extracted, secrets }: NodeValues): NodeValues {
  const launched = Object.entries(openRunValues(ctx, run));
  const others = launched.filter(([name]) => !Object.hasOwn(secrets, name));
  // Not by assignment: a variable may be named like a property of Object.prototype.
  const all = new Map([...others, ...Object.entries(extracted)]);
  return { extracted: Object.fromEntries(all), secrets };
}

/** The build of a deploy; null for other templates; the reason if there is no build. */
function buildOf(
  node: TemplateNode,
  { graph }: RunRow,
  rows: ReadonlyMap<string, NodeRow>,
): number | null | Reason {
  if (node.build_node === null) return null;
  const row = rows.get(node.build_node);
  if (row?.state === 'success' && row.task_id !== null) return row.task_id;
  const other = graph.nodes.find(({ key }) => key === node.build_node)?.name ?? node.build_node;
  return { code: 'reason.build_missing', params: { node: node.name, other } };
}

async function beginApproval(
  ctx: Context,
  run: RunRow,
  node: ApprovalNode,
): Promise<ImmediateOutcome> {
  const approvers = await listApprovers(ctx, run, node);
  if (approvers.length === 0) {
    const reason: Reason = { code: 'reason.nobody_approves', params: { node: node.name } };
    return { outcome: 'failure', reason };
  }
  const { timeout_s: seconds } = node;
  const until = seconds === null ? null : inSeconds(ctx, seconds);
  await updateNode(ctx.db, run.id, node.key, { until });
  const { key, name, question } = node;
  const index = run.graph.nodes.findIndex((one) => one.key === key);
  await raiseApproval(ctx, run.id, { key, index, name, question, approvers });
  return null;
}

type Requested = Pick<RunRow, 'user_id' | 'requested_by'>;

/** The users who may decide an approval. */
export async function listApprovers(
  ctx: Context,
  run: Requested & Pick<RunRow, 'project_id' | 'workflow_id'>,
  node: ApprovalNode,
): Promise<number[]> {
  const members = await listMembers(ctx.db, run.project_id, run.workflow_id);
  return members.filter((member) => isApprover(run, node, member)).map(({ user_id: id }) => id);
}

/** Whether a member of the project may decide an approval. */
export const isApprover = (
  run: Requested,
  { roles: wanted, user_ids: named, not_launcher: notLauncher }: ApprovalNode,
  { user_id: id, role }: { user_id: number; role: string },
): boolean =>
  (named.includes(id) || wanted.includes(role)) && (!notLauncher || id !== requesterOf(run));

const inSeconds = ({ clock }: Context, seconds: number): string =>
  new Date(clock.now().getTime() + seconds * 1000).toISOString();

function endOfWait(ctx: Context, { seconds, until, time_zone: zone }: WaitNode): string {
  if (until === null) return inSeconds(ctx, seconds ?? 0);
  const [hour, minute] = until.split(':').map(Number);
  const timing = {
    cron_format: `${minute} ${hour} * * *`,
    time_zone: zone || ctx.config.zone.name,
  };
  return nextDue(timing, ctx.clock.now().toISOString()) ?? inSeconds(ctx, 0);
}
