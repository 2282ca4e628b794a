// The routes of workflows and of their runs.

import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { z } from 'zod';
import { runStatusFilters } from '../../features/workflows/run-filter.ts';
import { idOf, projectRoute } from './frame-routes.ts';
import { edited, listSearch, positive, trail } from '../address/list-address.ts';

/** Drawing or list; without it, what the screen has room for. */
const shownAs = z.enum(['graph', 'list']).optional().catch(undefined);

const workflowParam = {
  parse: ({ workflowId }: { workflowId: string }) => ({ workflowId: idOf(workflowId) }),
  stringify: ({ workflowId }: { workflowId: number }) => ({ workflowId: String(workflowId) }),
};

const toList = '/project/$projectId/workflows' as const;

export const workflowsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'workflows',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('../project/workflows/workflows.tsx'), 'Workflows'),
});

export const newWorkflowRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'workflows/new',
  // `in_view`: the view in which a new workflow is shown.
  validateSearch: z.object({ as: shownAs, in_view: positive }),
  component: lazyRouteComponent(
    () => import('../project/workflows/workflow-editor.tsx'),
    'NewWorkflow',
  ),
});

export const workflowRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'workflows/$workflowId',
  params: workflowParam,
  validateSearch: z.object({ before: trail, as: shownAs, schedule: edited }),
  beforeLoad: ({ params, search: { t } }) => {
    if (params.workflowId > 0) return;
    throw redirect({ to: toList, params, search: { t }, replace: true });
  },
  component: lazyRouteComponent(
    () => import('../project/workflows/workflow.tsx'),
    'WorkflowDetail',
  ),
});

export const editWorkflowRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'workflows/$workflowId/edit',
  params: workflowParam,
  validateSearch: z.object({ as: shownAs }),
  beforeLoad: ({ params, search: { t } }) => {
    if (params.workflowId > 0) return;
    throw redirect({ to: toList, params, search: { t }, replace: true });
  },
  component: lazyRouteComponent(
    () => import('../project/workflows/workflow-editor.tsx'),
    'EditWorkflow',
  ),
});

const runSearch = z.object({
  before: trail,
  status: z.enum(runStatusFilters).optional().catch(undefined),
  workflow: z.coerce.number().int().positive().optional().catch(undefined),
});

export const workflowRunsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'workflow_runs',
  validateSearch: runSearch,
  component: lazyRouteComponent(
    () => import('../project/workflows/workflow-runs.tsx'),
    'WorkflowRuns',
  ),
});

export const workflowRunRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'workflow_runs/$runId',
  params: {
    parse: ({ runId }) => ({ runId: idOf(runId) }),
    stringify: ({ runId }) => ({ runId: String(runId) }),
  },
  validateSearch: z.object({ as: shownAs }),
  beforeLoad: ({ params, search: { t } }) => {
    if (params.runId > 0) return;
    throw redirect({ to: toList, params, search: { t }, replace: true });
  },
  component: lazyRouteComponent(
    () => import('../project/workflows/workflow-run.tsx'),
    'WorkflowRunDetail',
  ),
});
