import type { Schedule } from '#shared/api/schedules.ts';

type Named = Pick<Schedule, 'name' | 'tpl_name' | 'workflow_name'>;

/** The name of a schedule: that of what it starts if the schedule has none. */
export const nameOf = ({ name, tpl_name, workflow_name }: Named): string =>
  name || (tpl_name ?? workflow_name ?? '');
