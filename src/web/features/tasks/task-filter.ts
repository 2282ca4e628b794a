// What the history of a project is narrowed to, as it stands in the address.

import { taskStatuses } from '#shared/task-status.ts';

/** A status, or all in which a task has not ended. */
export const statusFilters = ['unfinished', ...taskStatuses] as const;

export interface TaskFilter {
  status?: (typeof statusFilters)[number] | undefined;
  template?: number | undefined;
  user?: number | undefined;
  q?: string | undefined;
}
