// The changes in a plan of Terraform or OpenTofu: names and actions, never values.

import { z } from 'zod';
import { endpoint } from './endpoint.ts';

const count = z.number().int().min(0);

/** How many resources a plan creates, changes in place, replaces, destroys, and reads during apply. */
export const planCounts = z.object({
  create: count,
  update: count,
  replace: count,
  delete: count,
  read: count,
  /** Absent: none, or not reported by earlier versions of the runner. */
  forget: count.optional(),
  import: count.optional(),
  move: count.optional(),
  outputs: count.optional(),
  /** Resources that were changed or deleted outside of Terraform, which the state will follow. */
  drift: count.optional(),
  invoke: count.optional(),
  /** Deferred to the next plan. */
  defer: count.optional(),
  other: count.optional(),
});
export type PlanCounts = z.output<typeof planCounts>;

/**
 * `forget`: the resource is removed from the state only; `forget_create`: another one is created in its place. `import`
 * and `move`: nothing else changes. `drift_delete` and `drift_update`: it was deleted or changed outside of Terraform, and
 * the state follows. `invoke`: an action of a provider runs. `defer`: deferred to the next plan. `other`: unknown to this
 * version; see the log.
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

/** A change of a resource or output, or an invoked action. */
const planChange = z.object({
  /** Absent: a resource. The `address` is the name of an output, or of an unknown part of the plan. */
  kind: z.enum(['output', 'action', 'other']).optional(),
  address: z.string().max(500),
  type: z.string().max(200),
  provider: z.string().max(300),
  action,
  /** Terraform's reason of the action, such as `replace_because_cannot_update`; null: none. */
  reason: z.string().max(100).nullable(),
  /** The earlier address of a moved resource. */
  moved_from: z.string().max(500).nullable(),
  /** Whether an existing resource is imported into the state. */
  is_imported: z.boolean(),
  /** The first fifty changed attributes. Of an output: `value`, `sensitive`. */
  attributes: z.array(z.string().max(100)).max(50),
  /** Those that require a replacement. */
  forcing: z.array(z.string().max(100)).max(50),
});
export type PlanChange = z.output<typeof planChange>;

export const runPlan = z.object({
  counts: planCounts,
  changes: z.array(planChange).max(10_000),
  /** Whether the list has all changes of the plan. */
  is_complete: z.boolean(),
  /** False: another plan is needed, for what `-target` has excluded or what was deferred. Null: unknown. */
  is_whole: z.boolean().nullable().default(null),
});
export type RunPlan = z.output<typeof runPlan>;

const taskPlan = runPlan.extend({
  /** Null: no plan, or it could not be parsed. */
  counts: planCounts.nullable(),
});
export type TaskPlan = z.output<typeof taskPlan>;

/** Listed among the endpoints of tasks. */
export const planEndpoints = {
  plan: endpoint.get('/api/project/:project_id/tasks/:task_id/plan', {
    permission: 'member',
    summary: 'What the plan of a Terraform or OpenTofu task does, change by change, without values',
    reply: taskPlan,
  }),
};
