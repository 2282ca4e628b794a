import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { IconCalendarOff } from '@tabler/icons-react';
import { type ReactNode, useMemo } from 'react';
import type { ScheduleCalendar as Calendar } from '#shared/api/schedule-calendar.ts';
import { t } from '../../../lib/i18n.ts';
import { readerZone } from '../../../lib/reader-zone.ts';
import { useNow } from '../../../lib/time-text.tsx';
import { QueryFailure } from '../../../resources/query-failure.tsx';
import { EmptyState } from '../../../ui/page/empty-state.tsx';
import { useIsNarrow } from '../../../ui/page/use-is-narrow.ts';
import { scheduleQueries } from '../schedules.queries.ts';
import { type CalendarAddress, readHours } from './calendar-address.ts';
import { CalendarBar, DayPicker } from './calendar-bar.tsx';
import { CalendarGrid } from './calendar-grid.tsx';
import { columnsOf } from './calendar-model.ts';
import { CalendarTable } from './calendar-table.tsx';
import { addDays, dayIn, mondayOf } from './calendar-week.ts';
import classes from './calendar.module.css';
import { HoursCard } from './hours-card.tsx';
import { Legend } from './result-marks.tsx';

interface Props extends CalendarAddress {
  projectId: number;
  renderTask: (taskId: number) => ReactNode;
  renderRun: (runId: number) => ReactNode;
}

/** A week of schedules: what ran, and what is due. */
export function ScheduleCalendar({ projectId, ...props }: Props) {
  const { params } = props;
  const zone = params.zone ?? readerZone();
  const today = dayIn(zone, useNow(false));
  const from = params.from ?? mondayOf(today);
  const { data, error, refetch } = useQuery({
    ...scheduleQueries.calendar(projectId, from, zone),
    // Keeps the week until the next one arrives.
    placeholderData: keepPreviousData,
  });
  const day = useShownDay(params.day, from, today);
  return (
    <>
      <CalendarBar {...props} from={from} />
      {day !== null && <DayPicker from={from} day={day} />}
      <Legend />
      {error && !data && <QueryFailure error={error} refetch={refetch} />}
      {!data && !error && <div className={`bg-surface border rounded-8 ${classes.skeleton}`} />}
      {data && <Week {...props} projectId={projectId} data={data} day={day} />}
    </>
  );
}

/** The only day that is shown; null for the whole week. */
function useShownDay(day: string | undefined, from: string, today: string): string | null {
  const isNarrow = useIsNarrow();
  const isShown = (one: string | undefined): one is string =>
    one !== undefined && one >= from && one <= addDays(from, 6);
  if (isShown(day)) return day;
  return isNarrow ? (isShown(today) ? today : from) : null;
}

interface WeekProps extends Props {
  data: Calendar;
  day: string | null;
}

function Week({ data, day, ...props }: WeekProps) {
  const isNarrow = useIsNarrow();
  const columns = useMemo(() => columnsOf(data), [data]);
  const shown = day === null ? columns : columns.filter((column) => column.day === day);
  const { params, onParams } = props;
  const range = readHours(params.hours);
  const chosen = range && columns.find((column) => column.day === range.day);
  if (data.schedules.length === 0) {
    return (
      <EmptyState
        icon={<IconCalendarOff size={24} />}
        title={t('schedule.calendar.none.title')}
        text={t('schedule.calendar.none.text')}
      />
    );
  }
  return (
    <>
      {data.has_more && <p className="small soft">{t('schedule.calendar.has_more')}</p>}
      {range && chosen && (
        <HoursCard
          {...props}
          column={chosen}
          range={range}
          onClose={() => onParams({ hours: undefined })}
        />
      )}
      {params.as === 'table' ? (
        <div className="bg-surface border rounded-8">
          <CalendarTable {...props} label={t('schedule.list')} columns={shown} />
        </div>
      ) : (
        <CalendarGrid
          {...props}
          columns={shown}
          now={data.now}
          maxLanes={day === null || isNarrow ? 3 : 10}
        />
      )}
    </>
  );
}
