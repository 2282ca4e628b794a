import type { Schedule } from '#shared/api/schedules.ts';

/** The name of a schedule: that of the template if the schedule has none. */
export const nameOf = ({ name, tpl_name }: Pick<Schedule, 'name' | 'tpl_name'>): string =>
  name || tpl_name;
