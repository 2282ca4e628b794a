// The failed nodes of a run with one sentence each.

import { nodeFailures } from '#shared/workflows/decisions.ts';
import type { AlertRun } from '#shared/api/alert-deliveries.ts';
import type { Context } from '../../../context/context.ts';
import { whyFailed } from '../../tasks/results/why-failed.ts';
import { listNodes, type NodeRow } from './nodes.store.ts';
import type { RunRow } from './runs.store.ts';

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
