// What schedules and integrations start: a template, or a workflow.

import { z } from 'zod';

/** What a list has; clients from before workflows ask for nothing and see templates only. */
export const startsQuery = z.object({
  starts: z.enum(['templates', 'workflows', 'all']).default('templates'),
});
export type Starts = z.output<typeof startsQuery>['starts'];

/** The sentence about `starts` in the summaries of lists. */
export const startsSentence =
  'only those that start templates, as before there were workflows, unless `starts` says otherwise';

interface Target {
  template_id: number | null;
  workflow_id: number | null;
  task_params?: unknown;
}

/** Refuses two things to start at once, and launch options for a workflow, whose nodes set theirs. */
export function checkTarget(
  { template_id: template, workflow_id: workflow, task_params: params }: Target,
  context: z.RefinementCtx,
): void {
  if (workflow === null) return;
  const refuse = (field: string, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message });
  if (template !== null) refuse('workflow_id', 'field.one_target');
  else if (params != null) refuse('task_params', 'field.no_launch_options');
}
