// The filter of the history of a project, as it stands in the address.

import { taskStatuses } from '#shared/task-status.ts';

/** A status, or `unfinished` for every status in which a task has not ended. */
export const statusFilters = ['unfinished', ...taskStatuses] as const;

export interface TaskFilter {
  status?: (typeof statusFilters)[number] | undefined;
  template?: number | undefined;
  user?: number | undefined;
  q?: string | undefined;
}
