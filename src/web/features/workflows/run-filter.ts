// The filter of the runs of a project, as in the address.

import { runStatuses } from '#shared/workflows/run-status.ts';

/** A status, or `unfinished` for every status before the end. */
export const runStatusFilters = ['unfinished', ...runStatuses] as const;

export interface RunFilter {
  status?: (typeof runStatusFilters)[number] | undefined;
  workflow?: number | undefined;
}

export const toRunQuery = ({ status, workflow }: RunFilter) => ({
  ...(status === 'unfinished' ? { state: status } : { status }),
  workflow_id: workflow,
});
