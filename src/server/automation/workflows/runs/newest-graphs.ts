import { MAX_NEWEST_RUNS, type RunGraph } from '#shared/api/workflow-runs.ts';
import type { Context } from '../../../context/context.ts';
import { listNodeStates } from './nodes.store.ts';
import { listGraphs, listNewestRuns, listWorkflowIds } from './runs.store.ts';

/** The newest runs of workflows with the states of their nodes, for small drawings. */
export async function getNewestGraphs(
  { db }: Context,
  projectId: number,
): Promise<{ runs: RunGraph[] }> {
  const workflowIds = await listWorkflowIds(db, projectId, MAX_NEWEST_RUNS);
  const runs = await listNewestRuns(db, projectId, workflowIds);
  const runIds = runs.map(({ id }) => id);
  const [graphs, states] = await Promise.all([listGraphs(db, runIds), listNodeStates(db, runIds)]);
  return {
    runs: runs.map(({ id, workflow_id }) => {
      const { nodes = [], edges = [] } = graphs.get(id) ?? {};
      return {
        workflow_id,
        run_id: id,
        nodes: nodes.map(({ key, name }) => ({
          key,
          name,
          state: states.get(id)?.get(key) ?? ('idle' as const),
        })),
        edges: edges.map(({ from, to }) => ({ from, to })),
      };
    }),
  };
}
