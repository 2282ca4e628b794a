import { overview } from '#shared/api/overview.ts';
import { workflowRuns } from '#shared/api/workflow-runs.ts';
import { workflows } from '#shared/api/workflows.ts';
import { shown, type Http } from '../../http/serve.ts';
import type { Context } from '../../context/context.ts';
import {
  changeWorkflow,
  createWorkflow,
  listShortWorkflows,
  removeWorkflow,
  requireWorkflow,
  workflowRefs,
  type PlainWorkflow,
} from './definitions/workflows.ts';
import { decideNode } from './runs/decide.ts';
import { launchWorkflow, runAgain } from './runs/launch.ts';
import { removeRun, stopRun } from './runs/stop.ts';
import { listUnfinishedRuns } from './runs/runs.store.ts';
import { getDecisions, getNewestRuns, getRun, getRuns } from './runs/get-runs.ts';
import { getNewestGraphs } from './runs/newest-graphs.ts';
import { getWaitingApprovals } from './runs/waiting-approvals.ts';

export function workflowRoutes(http: Http): void {
  definitionRoutes(http);
  runRoutes(http);
  actionRoutes(http);
}

async function withLastRuns<T extends { id: number }>(ctx: Context, projectId: number, list: T[]) {
  const ids = list.map(({ id }) => id);
  const runs = await getNewestRuns(ctx, projectId, ids);
  return list.map((one) => ({ ...one, last_run: runs.get(one.id) ?? null }));
}

async function withLastRun<T extends PlainWorkflow>(ctx: Context, workflow: T) {
  const runs = await getNewestRuns(ctx, workflow.project_id, [workflow.id]);
  return { ...workflow, last_run: runs.get(workflow.id) ?? null };
}

function definitionRoutes(http: Http): void {
  http.serve(workflows.list, async ({ ctx, params, query }) =>
    withLastRuns(ctx, params.project_id, await listShortWorkflows(ctx, params.project_id, query)),
  );
  http.serve(workflows.create, async ({ ctx, params, body }) =>
    withLastRun(ctx, await createWorkflow(ctx, params.project_id, body)),
  );
  http.serve(workflows.one, async ({ ctx, params }) =>
    withLastRun(ctx, await requireWorkflow(ctx, params.project_id, params.workflow_id)),
  );
  http.serve(workflows.update, ({ ctx, params, body, ifMatch, access }) => {
    const { project_id: projectId, workflow_id: id } = params;
    return changeWorkflow(ctx, { projectId, id, revision: ifMatch }, body, access);
  });
  http.serve(workflows.refs, ({ ctx, params }) =>
    workflowRefs(ctx, params.project_id, params.workflow_id),
  );
  http.serve(workflows.remove, async ({ ctx, params }) => {
    const { project_id: projectId, workflow_id: id } = params;
    const unfinished = await listUnfinishedRuns(ctx.db, projectId, id);
    await removeWorkflow(ctx, projectId, id, unfinished);
  });
}

function runRoutes(http: Http): void {
  http.serve(overview.approvals, ({ ctx, actor, query }) => getWaitingApprovals(ctx, actor, query));
  http.serve(workflows.launch, ({ ctx, params, body }) => {
    const which = { projectId: params.project_id, workflowId: params.workflow_id };
    return launchWorkflow(ctx, which, body);
  });
  http.serve(workflowRuns.list, async (input) =>
    shown(input, await getRuns(input.ctx, input.params.project_id, input.query)),
  );
  http.serve(workflowRuns.newest, ({ ctx, params }) => getNewestGraphs(ctx, params.project_id));
  http.serve(workflowRuns.one, ({ ctx, params }) => getRun(ctx, params.project_id, params.run_id));
  http.serve(workflowRuns.decisions, ({ ctx, params }) =>
    getDecisions(ctx, params.project_id, params.run_id),
  );
}

function actionRoutes(http: Http): void {
  const which = (params: { project_id: number; run_id: number }) => ({
    projectId: params.project_id,
    runId: params.run_id,
  });
  http.serve(workflowRuns.decide, ({ ctx, params, body }) =>
    decideNode(ctx, { ...which(params), key: params.node }, body),
  );
  http.serve(workflowRuns.stop, ({ ctx, params, body }) => stopRun(ctx, which(params), body.force));
  http.serve(workflowRuns.runAgain, ({ ctx, params, body }) =>
    runAgain(ctx, which(params), body.nodes),
  );
  http.serve(workflowRuns.remove, ({ ctx, params }) => removeRun(ctx, which(params)));
}
