// The filter of the history of a project, as in the address.

import { taskStatuses } from '#shared/task-status.ts';
import { dayBefore, midnight } from '../../lib/wall-clock.ts';

/** A status, or `unfinished` for every status before the end. */
export const statusFilters = ['unfinished', ...taskStatuses] as const;

export interface TaskFilter {
  status?: (typeof statusFilters)[number] | undefined;
  template?: number | undefined;
  user?: number | undefined;
  /** The first and the last day of the end of a task, in the time zone of the reader. */
  from?: string | undefined;
  to?: string | undefined;
  q?: string | undefined;
}

export function toQuery({ status, template, user, from, to, q }: TaskFilter) {
  return {
    ...(status === 'unfinished' ? { state: status } : { status }),
    template_id: template,
    user_id: user,
    from: from && midnight(from),
    to: to && midnight(to, 1),
    q,
  };
}

export interface Period {
  from?: string | undefined;
  to?: string | undefined;
}

// The days before today at which a period begins and, unless it includes today, ends.
const periodDays = { today: [0], yesterday: [1, 1], week: [6], month: [29] } as const;
export type PeriodName = keyof typeof periodDays;
export const periodNames = Object.keys(periodDays) as PeriodName[];

export function periodOf(name: PeriodName, now: Date): Period {
  const [first, last] = periodDays[name] as readonly [number, number?];
  return {
    from: dayBefore(now, first),
    to: last === undefined ? undefined : dayBefore(now, last),
  };
}

export const nameOf = (period: Period, now: Date): PeriodName | null =>
  periodNames.find((name) => {
    const { from, to } = periodOf(name, now);
    return from === period.from && to === period.to;
  }) ?? null;
