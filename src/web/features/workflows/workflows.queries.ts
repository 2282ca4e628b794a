import { workflowRuns } from '#shared/api/workflow-runs.ts';
import { workflows } from '#shared/api/workflows.ts';
import { query, queryPage, send } from '../../lib/query.ts';
import { defineResource } from '../../resources/resource.ts';
import { type RunFilter, toRunQuery } from './run-filter.ts';

export const workflowResource = defineResource({
  noun: 'workflow',
  endpoints: workflows,
  refs: workflows.refs,
});

const refreshRuns = [
  workflowRuns.list,
  workflowRuns.one,
  workflowRuns.newest,
  workflowRuns.decisions,
  workflows.list,
  workflows.one,
];

const pageSize = 20;

export const workflowQueries = {
  list: (projectId: number) => query(workflows.list, { params: { project_id: projectId } }),
  one: (projectId: number, workflowId: number) =>
    query(workflows.one, { params: { project_id: projectId, workflow_id: workflowId } }),
  runs: (projectId: number, filter: RunFilter, before: number | undefined) =>
    queryPage(workflowRuns.list, {
      params: { project_id: projectId },
      query: { ...toRunQuery(filter), limit: pageSize, before },
    }),
  newest: (projectId: number) => query(workflowRuns.newest, { params: { project_id: projectId } }),
  run: (projectId: number, runId: number) =>
    query(workflowRuns.one, { params: { project_id: projectId, run_id: runId } }),
  decisions: (projectId: number, runId: number) =>
    query(workflowRuns.decisions, { params: { project_id: projectId, run_id: runId } }),
};
export const launchWorkflow = () => send(workflows.launch, { refresh: refreshRuns });
export const decideNode = () => send(workflowRuns.decide, { refresh: refreshRuns });
export const stopRun = () => send(workflowRuns.stop, { refresh: refreshRuns });
export const runAgain = () => send(workflowRuns.runAgain, { refresh: refreshRuns });
export const removeRun = () => send(workflowRuns.remove, { refresh: refreshRuns });
