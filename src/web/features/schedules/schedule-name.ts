import type { Schedule } from '#shared/api/schedules.ts';

/** What a schedule is called: a template's own one has no name. */
export const nameOf = ({ name, tpl_name }: Pick<Schedule, 'name' | 'tpl_name'>): string =>
  name || tpl_name;
