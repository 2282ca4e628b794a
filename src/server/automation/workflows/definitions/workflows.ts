// Workflows and their graphs. A graph is checked when it is saved; a run has a copy of its graph.

import { type ListedWorkflow, namedNodes, type NewWorkflow } from '#shared/api/workflows.ts';
import type { WorkflowGraph } from '#shared/workflows/graph.ts';
import type { Context } from '../../../context/context.ts';
import { inTransaction } from '../../../context/transaction.ts';
import type { Versioned } from '../../../db/resource.ts';
import { refusing } from '../../../db/conflict.ts';
import { fail, refuseFindings } from '../../../lib/errors.ts';
import { type Mover, requireMove } from '../../../people/grants/moves.ts';
import { checkReferences, resource, type Target } from '../../../resources/resource.ts';
import { isTimeZone } from '../../../lib/time-zone.ts';
import { hasView } from '../../templates/templates.ts';
import { checkWorkflow } from './check-workflow.ts';
import {
  clearView,
  holdView,
  lockWorkflows,
  saveUses,
  workflowStore,
  type PlainWorkflow,
} from './workflows.store.ts';

export type { PlainWorkflow };

const workflows = resource(workflowStore, 'workflows', 'workflow');

export const { require: requireWorkflow, refs: workflowRefs } = workflows;

export const hasWorkflow = workflowStore.exists;

type ListOptions = Parameters<typeof workflowStore.list>[2];

export const listWorkflows = (
  ctx: Context,
  projectId: number,
  options: ListOptions,
): Promise<PlainWorkflow[]> => workflowStore.list(ctx.db, projectId, options);

export async function listShortWorkflows(
  ctx: Context,
  projectId: number,
  options: ListOptions,
): Promise<Omit<ListedWorkflow, 'last_run'>[]> {
  const list = await listWorkflows(ctx, projectId, options);
  return list.map(({ graph: { nodes }, ...one }) => ({
    ...one,
    node_count: nodes.length,
    first_nodes: nodes.slice(0, namedNodes).map(({ name }) => name),
  }));
}

export async function createWorkflow(
  ctx: Context,
  projectId: number,
  input: NewWorkflow,
): Promise<Versioned<PlainWorkflow>> {
  await check(ctx, projectId, null, input);
  return inTransaction(ctx, async (inner) => {
    await requireView(inner, projectId, input.view_id);
    const made = await workflows.create(inner, projectId, input);
    await saveUsesOf(inner, projectId, made.id, input.graph);
    return made;
  });
}

export async function changeWorkflow(
  ctx: Context,
  target: Target,
  input: NewWorkflow,
  mover: Mover,
): Promise<void> {
  const { projectId, id } = target;
  await inTransaction(ctx, async (inner) => {
    await lockWorkflows(inner.db, projectId);
    await check(inner, projectId, id, input);
    await requireView(inner, projectId, input.view_id);
    const { view_id: from } = await workflows.require(inner, projectId, id);
    await requireMove(inner, { object: { type: 'workflow', id }, from, to: input.view_id }, mover);
    await workflows.change(inner, target, input);
    await saveUsesOf(inner, projectId, id, input.graph);
  });
}

/** Refused while the workflow has `unfinished` runs. */
export async function removeWorkflow(
  ctx: Context,
  projectId: number,
  id: number,
  unfinished: number[],
): Promise<void> {
  if (unfinished.length > 0) {
    const runs = unfinished.map((run) => `#${run}`).join(', ');
    throw fail('workflow.unfinished_runs', { runs });
  }
  await workflows.remove(ctx, projectId, id);
}

/** A workflow without findings, which can be launched. */
export async function requireSound(
  ctx: Context,
  projectId: number,
  id: number,
): Promise<PlainWorkflow> {
  const workflow = await workflows.require(ctx, projectId, id);
  const place = { projectId, workflowId: id, isTimeZone };
  refuseFindings(await checkWorkflow(ctx, place, workflow.graph));
  return workflow;
}

async function check(
  ctx: Context,
  projectId: number,
  workflowId: number | null,
  { view_id, graph }: NewWorkflow,
): Promise<void> {
  await checkReferences(ctx, projectId, { view_id: [view_id, hasView] });
  refuseFindings(await checkWorkflow(ctx, { projectId, workflowId, isTimeZone }, graph));
}

/** Locks the view, which may have been deleted since the check. */
async function requireView({ db }: Context, projectId: number, id: number | null): Promise<void> {
  if (id !== null && !(await holdView(db, projectId, id))) throw fail('request.stale');
}

export async function moveOutOfView(
  ctx: Context,
  projectId: number,
  viewId: number,
): Promise<void> {
  if (!(await clearView(ctx.db, projectId, viewId))) return;
  ctx.hub.publish('resource.changed', { projectId, noun: 'workflows' });
}

const saveUsesOf = ({ db }: Context, projectId: number, id: number, graph: WorkflowGraph) =>
  refusing(saveUses(db, projectId, id, usesOf(graph)), {
    'foreign-key': () => fail('request.stale'),
  });

function usesOf({ nodes }: WorkflowGraph) {
  const templates = new Set<number>();
  const workflowIds = new Set<number>();
  const environments = new Set<number>();
  for (const node of nodes) {
    if (node.type === 'template') {
      templates.add(node.template_id);
      const { execution_environment_id: id = null } = node.params ?? {};
      if (id !== null) environments.add(id);
    }
    if (node.type === 'workflow') workflowIds.add(node.workflow_id);
  }
  return { templates, workflows: workflowIds, environments };
}
