// The filter of a list of templates, as it stands in the address.

import { isFinished, isTaskStatus, taskStatuses } from '#shared/task-status.ts';

/** The status of the last task, `unfinished` for every status before the end, or `never_run`. */
export const templateStatuses = ['unfinished', ...taskStatuses, 'never_run'] as const;
export type TemplateStatus = (typeof templateStatuses)[number];

/** Whether `status`, that of the last task, matches the filter; undefined without a task. */
export function hasStatus(wanted: TemplateStatus | undefined, status: string | undefined): boolean {
  if (wanted === 'never_run') return status === undefined;
  if (wanted !== 'unfinished') return status === wanted;
  return status !== undefined && isTaskStatus(status) && !isFinished(status);
}

export const rowKinds = ['template', 'workflow'] as const;
export type RowKind = (typeof rowKinds)[number];
