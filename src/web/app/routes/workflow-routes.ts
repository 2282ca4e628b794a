// The routes of workflows and of their runs.

import { createRoute, redirect } from '@tanstack/react-router';
import { runStatusFilters } from '../../features/workflows/run-filter.ts';
import { idParam, projectRoute } from './frame-routes.ts';
import { listParams } from '../address/list-address.ts';
import { edited, oneOf, positive, searchOf, trail } from '../address/search-params.ts';
import { lazyScreen } from './lazy-screen.ts';

/** Undefined: the layout that fits the screen's width. */
const shownAs = oneOf(['graph', 'list']);

const toList = '/project/$projectId/workflows' as const;

export const workflowsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'workflows',
  validateSearch: searchOf(listParams),
  component: lazyScreen(() => import('../project/workflows/workflows.tsx'), 'Workflows'),
});

export const newWorkflowRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'workflows/new',
  // `in_view`: the view in which a new workflow is shown.
  validateSearch: searchOf({ as: shownAs, in_view: positive }),
  component: lazyScreen(() => import('../project/workflows/workflow-editor.tsx'), 'NewWorkflow'),
});

export const workflowRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'workflows/$workflowId',
  params: idParam('workflowId'),
  validateSearch: searchOf({ before: trail, as: shownAs, schedule: edited }),
  beforeLoad: ({ params, search: { t } }) => {
    if (params.workflowId > 0) return;
    throw redirect({ to: toList, params, search: { t }, replace: true });
  },
  component: lazyScreen(() => import('../project/workflows/workflow.tsx'), 'WorkflowDetail'),
});

export const editWorkflowRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'workflows/$workflowId/edit',
  params: idParam('workflowId'),
  validateSearch: searchOf({ as: shownAs }),
  beforeLoad: ({ params, search: { t } }) => {
    if (params.workflowId > 0) return;
    throw redirect({ to: toList, params, search: { t }, replace: true });
  },
  component: lazyScreen(() => import('../project/workflows/workflow-editor.tsx'), 'EditWorkflow'),
});

const runSearch = searchOf({
  before: trail,
  status: oneOf(runStatusFilters),
  workflow: positive,
});

export const workflowRunsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'workflow_runs',
  validateSearch: runSearch,
  component: lazyScreen(() => import('../project/workflows/workflow-runs.tsx'), 'WorkflowRuns'),
});

export const workflowRunRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'workflow_runs/$runId',
  params: idParam('runId'),
  validateSearch: searchOf({ as: shownAs }),
  beforeLoad: ({ params, search: { t } }) => {
    if (params.runId > 0) return;
    throw redirect({ to: toList, params, search: { t }, replace: true });
  },
  component: lazyScreen(() => import('../project/workflows/workflow-run.tsx'), 'WorkflowRunDetail'),
});
