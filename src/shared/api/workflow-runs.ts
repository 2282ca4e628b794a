// Runs of workflows: the states of their nodes, the reasons, and decisions of users.

import { z } from 'zod';
import {
  id,
  idParam,
  initially,
  jsonObjectText,
  nullable,
  optionalLine,
  secret,
  time,
} from '../fields.ts';
import { shownGraph } from '../workflows/shown-graph.ts';
import { nodeStates, runStatuses } from '../workflows/run-status.ts';
import { nodeFailures, workflowDecisions } from '../workflows/decisions.ts';
import { endpoint } from './endpoint.ts';
import { launcher } from './launcher.ts';
import { newestFirstQuery } from './page.ts';
import { launchRefusals } from './refusals.ts';
import { messageParams, taskFailure } from './coded-messages.ts';

export const shortRun = z.object({
  id,
  project_id: id,
  workflow_id: id,
  name: z.string(),
  status: z.enum(runStatuses),
  created: time,
  end: time.nullable(),
  user_id: id.nullable(),
  user_name: z.string().nullable(),
  /**
   * The user who launched it, or who has created or last changed the schedule or integration that did, also of its parent
   * run. Null: unknown.
   */
  requested_by: id.nullable(),
  message: z.string(),
  /** The schedule or integration that launched it; null: neither, or deleted. */
  schedule_id: id.nullable(),
  integration_id: id.nullable(),
  /** The schedule, integration or run of a workflow that launched it; null: a user did. */
  launcher: launcher.nullable(),
  /** The run with this one as a node; null: none. */
  parent_run_id: id.nullable(),
  /** The run that this one runs again; null: none. */
  rerun_of: id.nullable(),
  /** The names of the nodes that wait for an approval. */
  waits_for: z.array(z.string()),
});
export type ShortRun = z.output<typeof shortRun>;

/** The reason of the end of a node, as a code with its parameters. */
const nodeReason = z.object({
  code: z.enum(nodeFailures.codes),
  params: messageParams,
  text: z.string(),
});

const runNode = z.object({
  key: z.string(),
  state: z.enum(nodeStates),
  /** Its newest task; null: none, or deleted. */
  task_id: id.nullable(),
  dry_run: z.boolean(),
  /** The run of a workflow node; null: none. */
  run_id: id.nullable(),
  begin: time.nullable(),
  end: time.nullable(),
  /** When a wait ends, or an approval expires; null: never. */
  until: time.nullable(),
  /** Why it failed; null: it did not, or the task has the reason. */
  reason: nodeReason.nullable(),
  /** Why its task failed; null: it did not, or was deleted. */
  failure: taskFailure.nullable(),
  /** Whether it was kept, with its outputs, from the run that this one runs again. */
  is_kept: z.boolean(),
  /** Who decided its approval; null: undecided, or no approval. */
  decided_by: z.string().nullable(),
  /** The answers given with the approval, without secret ones. */
  answers: z.record(z.string(), z.any()),
});
export type RunNode = z.output<typeof runNode>;

const decision = z.object({
  id,
  time,
  code: z.enum(workflowDecisions.codes),
  params: messageParams,
  /** The nodes that caused it, with their states. */
  because: z.array(z.object({ node: z.string(), state: z.enum(nodeStates) })),
  text: z.string(),
});
export type RunDecision = z.output<typeof decision>;

export const workflowRun = shortRun.extend({
  /** As it was at the launch. */
  graph: shownGraph,
  nodes: z.array(runNode),
});
export type WorkflowRun = z.output<typeof workflowRun>;

const approval = z.strictObject({
  approve: z.boolean(),
  comment: initially(optionalLine(1000), ''),
  /** As a JSON object. */
  answers: nullable(jsonObjectText).transform((text) => text ?? '{}'),
  /** The answers to secret fields: stored sealed, and write-only. */
  secret: nullable(secret(jsonObjectText)).transform((text) => text ?? '{}'),
});
export type Approval = z.output<typeof approval>;

export const waitingApproval = z.object({
  project_id: id,
  project_name: z.string(),
  run_id: id,
  /** Of the workflow. */
  name: z.string(),
  /** The key of the node. */
  node: z.string(),
  node_name: z.string(),
  question: z.string(),
  begin: time.nullable(),
  /** When it expires; null: never. */
  until: time.nullable(),
  /** Whether it has fields to fill in. */
  has_fields: z.boolean(),
  /** When the run was launched. */
  created: time,
  /** The user who launched the run; null: no user did. */
  user_name: z.string().nullable(),
  message: z.string(),
  /** The names of the nodes that follow an approval, at most ten. */
  next: z.array(z.string()),
});
export type WaitingApproval = z.output<typeof waitingApproval>;

export const MAX_WAITING_APPROVALS = 50;
export const MAX_NEXT_NODES = 10;

export const MAX_NEWEST_RUNS = 100;

/** The newest run of a workflow as a small graph. */
const runGraph = z.object({
  workflow_id: id,
  run_id: id,
  nodes: z.array(z.object({ key: z.string(), name: z.string(), state: z.enum(nodeStates) })),
  /** The keys of the nodes. */
  edges: z.array(z.object({ from: z.string(), to: z.string() })),
});
export type RunGraph = z.output<typeof runGraph>;

export const workflowRuns = {
  list: endpoint.get('/api/project/:project_id/workflow_runs', {
    permission: 'member',
    summary: 'The runs of all workflows of the project, newest first; 200 unless `limit` says so',
    query: newestFirstQuery.extend({
      workflow_id: idParam.optional(),
      status: z.enum(runStatuses).optional(),
      /** Only unfinished runs. */
      state: z.enum(['unfinished']).optional(),
    }),
    reply: z.array(shortRun),
  }),
  newest: endpoint.get('/api/project/:project_id/workflow_runs/newest', {
    permission: 'member',
    summary: 'The nodes and states of the newest run of each of the 100 newest workflows',
    reply: z.object({ runs: z.array(runGraph) }),
  }),
  one: endpoint.get('/api/project/:project_id/workflow_runs/:run_id', {
    permission: 'member',
    summary: 'One run of a workflow, with all its nodes',
    reply: workflowRun,
  }),
  decisions: endpoint.get('/api/project/:project_id/workflow_runs/:run_id/decisions', {
    permission: 'member',
    summary: 'What was decided in a run and why, in its order',
    reply: z.array(decision),
  }),
  decide: endpoint.post('/api/project/:project_id/workflow_runs/:run_id/nodes/:node/decide', {
    permission: 'workflow.approve',
    token: 'run',
    summary: 'Approve or reject what a run waits for; only whom its approval names may',
    params: { node: z.string().min(1).max(40) },
    body: approval,
    refuses: [
      'workflow_run.node_unknown',
      'workflow_run.not_waiting',
      'workflow_run.not_approver',
      'workflow_run.own_run',
      'secret.not_opened',
    ],
  }),
  stop: endpoint.post('/api/project/:project_id/workflow_runs/:run_id/stop', {
    permission: 'task.stop',
    summary: 'Stop a run with all its tasks; with `force` at once',
    body: z.strictObject({ force: initially(z.boolean(), false) }),
    optionalBody: true,
  }),
  runAgain: endpoint.post('/api/project/:project_id/workflow_runs/:run_id/run_again', {
    permission: 'task.restart',
    summary:
      'Launch a finished run again from the nodes that failed, or from these nodes; what succeeded before them is kept with its outputs',
    body: z.strictObject({ nodes: nullable(z.array(z.string().min(1).max(40)).max(100)) }),
    optionalBody: true,
    reply: workflowRun,
    status: 201,
    refuses: [
      ...launchRefusals,
      'workflow_run.unfinished',
      'workflow_run.node_unknown',
      'workflow_run.nothing_failed',
      'workflow_run.approval_added',
      'workflow.too_many_runs',
      'template.not_found',
      'secret.not_opened',
    ],
  }),
  remove: endpoint.delete('/api/project/:project_id/workflow_runs/:run_id', {
    permission: 'task.delete',
    summary: 'Delete a finished run; its tasks stay',
    refuses: ['workflow_run.unfinished'],
  }),
};
