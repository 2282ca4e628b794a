// The targets of schedules and integrations: a template, or a workflow.

import { z } from 'zod';
import type { AddCheck } from '../cross-check.ts';
import { optionalId } from '../fields.ts';

/** The filter of lists; clients from before workflows send none and receive templates only. */
export const startsQuery = z.object({
  starts: z.enum(['templates', 'workflows', 'all']).default('templates'),
});
export type Starts = z.output<typeof startsQuery>['starts'];

export const startsSentence =
  'only those that start templates, as before there were workflows, unless `starts` says otherwise';

const targetFields = z.object({ template_id: optionalId, workflow_id: optionalId });

/** Refuses two targets, and launch options for a workflow, whose nodes have their own. */
export function checkTarget(check: AddCheck<z.output<typeof targetFields>>): void {
  check(['template_id', 'workflow_id'], (given, refuse) => {
    if (given.workflow_id === null) return;
    const { task_params: params } = given as { task_params?: unknown };
    if (given.template_id !== null) refuse('workflow_id', 'field.one_target');
    else if (params != null) refuse('task_params', 'field.no_launch_options');
  });
}
