// The filter of a list of templates, as it stands in the address.

import { isFinished, isTaskStatus, taskStatuses } from '#shared/task-status.ts';

/** The status of the last task, `unfinished` for each before the end, or that there is no task. */
export const templateStatuses = ['unfinished', ...taskStatuses, 'never_run'] as const;
export type TemplateStatus = (typeof templateStatuses)[number];

/** Whether a template whose last task has `status` is wanted; undefined without a task. */
export function hasStatus(wanted: TemplateStatus | undefined, status: string | undefined): boolean {
  if (wanted === 'never_run') return status === undefined;
  if (wanted !== 'unfinished') return status === wanted;
  return status !== undefined && isTaskStatus(status) && !isFinished(status);
}

/** What stands in the list of templates. */
export const rowKinds = ['template', 'workflow'] as const;
export type RowKind = (typeof rowKinds)[number];
