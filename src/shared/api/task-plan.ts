// What a plan of Terraform or OpenTofu does: names and actions, never values.

import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { idOf } from '../fields.ts';
import { inProject } from './projects.ts';

const count = z.number().int().min(0);

/** How many resources a plan creates, changes in place, replaces, destroys, and reads while it is applied. */
export const planCounts = z.object({
  create: count,
  update: count,
  replace: count,
  delete: count,
  read: count,
  /** What a plan may do besides; absent: nothing of it, or the runner is of an earlier version. */
  forget: count.optional(),
  import: count.optional(),
  move: count.optional(),
  outputs: count.optional(),
  /** Resources that have changed or gone outside of Terraform; the state follows them. */
  drift: count.optional(),
  /** Actions of providers. */
  invoke: count.optional(),
  /** What is left for the next plan. */
  defer: count.optional(),
  other: count.optional(),
});
export type PlanCounts = z.output<typeof planCounts>;

/**
 * `forget`: the resource leaves the state and goes on to exist; `forget_create`: another one is created
 * in its place. `import` and `move`: nothing else changes. `drift_delete` and `drift_update`: it has gone
 * or changed outside of Terraform, and the state follows. `invoke`: an action of a provider runs.
 * `defer`: left for the next plan. `other`: something that this version does not know; the log has it.
 */
export const planActions = [
  'delete',
  'drift_delete',
  'replace',
  'forget_create',
  'create',
  'update',
  'drift_update',
  'invoke',
  'read',
  'forget',
  'import',
  'move',
  'defer',
  'other',
] as const;
const action = z.enum(planActions);
export type PlanAction = z.output<typeof action>;

/** What a plan does to one resource or output, or an action that it runs. */
const planChange = z.object({
  /** Absent: a resource. An output has its name as `address`, a change of an unknown kind that of the kind. */
  kind: z.enum(['output', 'action', 'other']).optional(),
  address: z.string().max(500),
  type: z.string().max(200),
  provider: z.string().max(300),
  action,
  /** Why Terraform chose the action, in its words, such as `replace_because_cannot_update`; null for none. */
  reason: z.string().max(100).nullable(),
  /** Its address until now, if it is moved. */
  moved_from: z.string().max(500).nullable(),
  /** Whether the resource exists and comes under the care of the configuration. */
  is_imported: z.boolean(),
  /** The names of its attributes that change; the first fifty. Of an output: `value`, `sensitive`. */
  attributes: z.array(z.string().max(100)).max(50),
  /** Those of them for which it has to be replaced. */
  forcing: z.array(z.string().max(100)).max(50),
});
export type PlanChange = z.output<typeof planChange>;

/** A plan as the runner tells it. */
export const runPlan = z.object({
  counts: planCounts,
  changes: z.array(planChange).max(10_000),
  /** Whether these are all changes of the plan. */
  is_complete: z.boolean(),
  /**
   * Whether the plan covers all of the configuration. False: after it another one is needed, for what was
   * left out by `-target` or left for later. Null: the program does not say.
   */
  is_whole: z.boolean().nullable().default(null),
});
export type RunPlan = z.output<typeof runPlan>;

const taskPlan = runPlan.extend({
  /** Null: the task has no plan, or none that could be read. */
  counts: planCounts.nullable(),
});
export type TaskPlan = z.output<typeof taskPlan>;

/** The endpoint of plans, which is listed among those of tasks. */
export const planEndpoints = {
  plan: endpoint({
    method: 'GET',
    path: '/api/project/:project_id/tasks/:task_id/plan',
    permission: 'member',
    summary: 'What the plan of a Terraform or OpenTofu task does, change by change, without values',
    params: inProject.extend({ task_id: idOf('task.not_found') }),
    reply: taskPlan,
  }),
};
