// What schedules and integrations start: a template, or a workflow.

import { z } from 'zod';
import type { AddCheck } from '../cross-check.ts';
import { optionalId } from '../fields.ts';

/** What a list has; clients from before workflows ask for nothing and see templates only. */
export const startsQuery = z.object({
  starts: z.enum(['templates', 'workflows', 'all']).default('templates'),
});
export type Starts = z.output<typeof startsQuery>['starts'];

/** The sentence about `starts` in the summaries of lists. */
export const startsSentence =
  'only those that start templates, as before there were workflows, unless `starts` says otherwise';

const targetFields = z.object({ template_id: optionalId, workflow_id: optionalId });

/** Refuses two things to start at once, and launch options for a workflow, whose nodes set theirs. */
export function checkTarget(check: AddCheck<z.output<typeof targetFields>>): void {
  check(['template_id', 'workflow_id'], (given, refuse) => {
    if (given.workflow_id === null) return;
    const { task_params: params } = given as { task_params?: unknown };
    if (given.template_id !== null) refuse('workflow_id', 'field.one_target');
    else if (params != null) refuse('task_params', 'field.no_launch_options');
  });
}
