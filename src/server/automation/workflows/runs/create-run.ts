// The rows of a new run, in which nothing has begun yet.

import type { DecisionCode } from '#shared/workflows/decisions.ts';
import type { Params } from '#shared/catalogue/catalogue.ts';
import type { Answers } from '#shared/api/task-snapshot.ts';
import { sourceOf, type Context } from '../../../context/context.ts';
import type { Db } from '../../../db/open.ts';
import { record } from '../../../events/events.ts';
import { sealedColumns } from '../../../vault/sealed-columns.ts';
import { sealInto } from '../../../vault/sealed-texts.ts';
import type { PlainWorkflow } from '../definitions/workflows.ts';
import { insertDecision, insertNodes } from './nodes.store.ts';
import { findRun, insertRun, type RunRow } from './runs.store.ts';

/** The maximum depth of nested workflows. */
export const MAX_NESTED = 10;

export interface NewRun {
  message: string;
  /** The name of the schedule or integration that acts. */
  launcher?: string;
  /** The user behind a launch by a schedule or integration; null: unknown. */
  requestedBy?: number | null;
  /** Variables of all its tasks. */
  extracted?: Answers;
  parent?: { runId: number; node: string; requestedBy: number | null };
  rerunOf?: number;
}

/** Returns the id of the run. */
export async function createRun(
  ctx: Context,
  workflow: Pick<PlainWorkflow, 'project_id' | 'id' | 'name' | 'graph'>,
  given: NewRun,
): Promise<number> {
  const { project_id: projectId, id: workflowId, name, graph } = workflow;
  const { message, parent, rerunOf, extracted = {}, requestedBy = null } = given;
  const { userId, username } = ctx.by;
  const created = ctx.clock.now().toISOString();
  const id = await insertRun(ctx.db, {
    project_id: projectId,
    workflow_id: workflowId,
    name,
    status: 'running',
    created,
    end: null,
    user_id: userId,
    username,
    // A nested run may begin in the context of the user who approved a node, and did not request it.
    requested_by: parent ? parent.requestedBy : (userId ?? requestedBy),
    ...sourceOf(ctx.by),
    message,
    graph,
    parent_run_id: parent?.runId ?? null,
    parent_node: parent?.node ?? null,
    rerun_of: rerunOf ?? null,
    // Sealed as soon as the row has the id that the text is bound to.
    extracted: null,
  });
  if (Object.keys(extracted).length > 0) {
    const row = { id, project_id: projectId };
    await sealInto(ctx, sealedColumns.runValues, row, JSON.stringify(extracted));
  }
  await insertNodes(
    ctx.db,
    graph.nodes.map(({ key }) => ({ ...blank, project_id: projectId, run_id: id, node: key })),
  );
  await insertDecision(ctx.db, id, { time: created, ...launchOf(ctx, given) });
  await recordRun(ctx, 'launched', { id, project_id: projectId, name });
  ctx.hub.publish('resource.changed', { projectId, noun: 'workflows' });
  return id;
}

function launchOf(
  { by }: Context,
  { parent, launcher = '' }: NewRun,
): { code: DecisionCode; params: Params } {
  if (parent) return { code: 'decision.launched_by_run', params: { run: parent.runId } };
  switch (by.via) {
    case 'schedule':
      return { code: 'decision.launched_by_schedule', params: { schedule: launcher } };
    case 'integration':
      return { code: 'decision.launched_by_integration', params: { integration: launcher } };
    default:
      return { code: 'decision.launched', params: { user: by.username } };
  }
}

const blank = {
  state: 'idle' as const,
  task_id: null,
  child_run_id: null,
  begin: null,
  end: null,
  until: null,
  reason: null,
  decided_by: null,
  answers: {},
  secret: null,
};

/** Records an event about a run. */
export const recordRun = (
  ctx: Context,
  verb: 'launched' | 'stopped' | 'deleted' | 'approved' | 'rejected' | 'ended',
  { id, project_id: projectId, name }: Pick<RunRow, 'id' | 'project_id' | 'name'>,
  params: Params = {},
): Promise<void> =>
  record(ctx, {
    code: `workflow_run.${verb}`,
    projectId,
    object: { type: 'workflow_run', id, name },
    params: { run: id, ...params },
  });

/** The number of enclosing runs. */
export async function depthOf(db: Db, run: RunRow): Promise<number> {
  let depth = 0;
  for (let parent = run.parent_run_id; parent !== null && depth <= MAX_NESTED; depth += 1) {
    parent = (await findRun(db, run.project_id, parent))?.parent_run_id ?? null;
  }
  return depth;
}
