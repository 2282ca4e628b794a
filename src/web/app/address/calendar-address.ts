// The search parameters of the calendar of schedules.

import { useNavigate, useSearch } from '@tanstack/react-router';
import type {
  CalendarAddress,
  CalendarParams,
} from '../../features/schedules/calendar/calendar-address.ts';
import { day, oneOf, type Search, text } from './search-params.ts';

// `as` and not `view`, which shows the parts of a task that is opened above the screen.
export const calendarParams = {
  as: oneOf(['week', 'table']),
  from: day,
  day,
  zone: text,
  hours: text,
};

export type ScheduleView = 'list' | 'week';

export function useCalendarAddress() {
  const params: Search<typeof calendarParams> = useSearch({ strict: false });
  const { as, from, day: only, zone, hours } = params;
  const navigate = useNavigate();
  const onParams = (part: CalendarParams) =>
    void navigate({
      to: '.',
      search: (search) => ({ ...search, ...part }),
      resetScroll: false,
    });
  return {
    view: as === undefined ? ('list' as const) : ('week' as const),
    onView: (next: ScheduleView) =>
      void navigate({ to: '.', search: next === 'list' ? {} : { as: 'week' }, resetScroll: false }),
    params: { as, from, day: only, zone, hours },
    onParams,
  } satisfies CalendarAddress & { view: ScheduleView; onView: (view: ScheduleView) => void };
}
