import { z } from 'zod';
import { id, initially, line, multiline, optionalId, optionalLine, using } from '../fields.ts';
import { workflowGraph } from '../workflows/graph.ts';
import { shownGraph } from '../workflows/shown-graph.ts';
import { endpoint } from './endpoint.ts';
import { launchRefusals } from './refusals.ts';
import { sortedQuery } from './page.ts';
import { refsEndpoint } from './references.ts';
import { resourceEndpoints } from './resource-endpoints.ts';
import { shortRun, workflowRun } from './workflow-runs.ts';

const MAX_WORKFLOW_NAME_LENGTH = 100;

/** How many nodes of each workflow a list names. */
export const namedNodes = 5;

const shared = {
  id,
  project_id: id,
  name: z.string(),
  description: z.string(),
  view_id: id.nullable(),
  /** Null: none yet. */
  last_run: shortRun.nullable(),
};

/** Templates as a graph: their order, and the required outcomes. */
export const workflow = z.object({ ...shared, graph: shownGraph });
export type Workflow = z.output<typeof workflow>;

/** A workflow in a list, without its graph. */
const listedWorkflow = z.object({
  ...shared,
  node_count: z.number().int(),
  first_nodes: z.array(z.string()),
});
export type ListedWorkflow = z.output<typeof listedWorkflow>;

export const newWorkflow = z.object({
  name: line(MAX_WORKFLOW_NAME_LENGTH, 'name.required'),
  description: initially(multiline(4096), ''),
  view_id: using('view.see', optionalId),
  graph: workflowGraph,
});
export type NewWorkflow = z.output<typeof newWorkflow>;

export const workflowLaunch = z.strictObject({ message: initially(optionalLine(250), '') });
export type WorkflowLaunch = z.output<typeof workflowLaunch>;

export const workflows = {
  ...resourceEndpoints('/api/project/:project_id/workflows', 'workflow', {
    permission: 'workflow.edit',
    summaries: {
      list: 'The workflows of the project, each with its newest run and without its graph',
      create: 'Add a workflow',
      one: 'One workflow',
      update: 'Change a workflow; its unfinished runs go on with the graph that they began with',
      remove: 'Delete a workflow with its runs; the tasks of the runs stay',
    },
    query: sortedQuery(['name', 'id']),
    body: newWorkflow,
    reply: workflow,
    listed: listedWorkflow,
    refuses: { remove: ['workflow.in_use', 'workflow.unfinished_runs'] },
  }),
  refs: refsEndpoint(
    '/api/project/:project_id/workflows/:workflow_id',
    'a workflow: other workflows, schedules and integrations',
  ),
  launch: endpoint.post('/api/project/:project_id/workflows/:workflow_id/runs', {
    permission: 'workflow.run',
    summary: 'Launch a workflow',
    body: workflowLaunch,
    optionalBody: true,
    reply: workflowRun,
    status: 201,
    refuses: [...launchRefusals, 'workflow.too_many_runs', 'template.not_found'],
  }),
};
