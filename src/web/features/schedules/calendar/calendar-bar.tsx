import { Link } from '@tanstack/react-router';
import {
  IconCalendarWeek,
  IconChevronLeft,
  IconChevronRight,
  IconTable,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t, timeTag } from '../../../lib/i18n.ts';
import { readerZone } from '../../../lib/reader-zone.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { ZoneChoice } from '../zone-choice.tsx';
import type { CalendarAddress, CalendarParams } from './calendar-address.ts';
import classes from './calendar.module.css';
import { addDays, shortDay, weekWords } from './calendar-week.ts';

export function CalendarBar({ from, params, onParams }: CalendarAddress & { from: string }) {
  const isTable = params.as === 'table';
  return (
    <div className={`row wrap gap-8 ${classes.bar}`}>
      <nav className="row gap-4" aria-label={t('schedule.calendar.week')}>
        <WeekLink label={t('schedule.calendar.previous')} part={{ from: addDays(from, -7) }}>
          <IconChevronLeft size={16} />
        </WeekLink>
        <WeekLink label={t('schedule.calendar.next')} part={{ from: addDays(from, 7) }}>
          <IconChevronRight size={16} />
        </WeekLink>
        <WeekLink part={{ from: undefined }}>{t('schedule.calendar.today')}</WeekLink>
      </nav>
      <h2 className="text-15 weight-600 numbers grow">
        {weekWords(from, addDays(from, 6), timeTag())}
      </h2>
      <ZoneChoice
        size="xs"
        w={220}
        aria-label={t('schedule.time_zone')}
        placeholder={t('schedule.calendar.own_zone', { zone: readerZone() })}
        value={params.zone ?? null}
        onChange={(zone) => onParams({ zone: zone ?? undefined })}
      />
      <IconButton
        label={t(isTable ? 'schedule.calendar.as_calendar' : 'stats.as_table')}
        icon={isTable ? <IconCalendarWeek size={16} /> : <IconTable size={16} />}
        onClick={() => onParams({ as: isTable ? 'week' : 'table' })}
      />
    </div>
  );
}

interface WeekLinkProps {
  label?: string;
  part: CalendarParams;
  children: ReactNode;
}

function WeekLink({ label, part, children }: WeekLinkProps) {
  return (
    <Link
      to="."
      search={(search) => ({ ...search, day: undefined, hours: undefined, ...part })}
      resetScroll={false}
      // The router would mark a link without a parameter as active.
      activeOptions={{ exact: true, includeSearch: true }}
      className={`inline-flex center border rounded-6 small color-text no-underline hover ${classes.week}`}
      {...(label !== undefined && { 'aria-label': label, title: label })}
    >
      {children}
    </Link>
  );
}

/** On a small screen, one day is shown at a time. */
export function DayPicker({ from, day }: { from: string; day: string }) {
  const days = Array.from({ length: 7 }, (_, index) => addDays(from, index));
  return (
    <nav className={`flex ${classes.picker}`} aria-label={t('stats.day')}>
      {days.map((one) => {
        const { weekday, date } = shortDay(one, timeTag());
        return (
          <Link
            key={one}
            to="."
            search={(search) => ({ ...search, day: one, hours: undefined })}
            resetScroll={false}
            activeOptions={{ exact: true, includeSearch: true }}
            className="column grow items-center rounded-6 color-text no-underline selectable"
            aria-current={one === day ? 'date' : undefined}
          >
            <span className="smallest soft">{weekday}</span>
            <span className="weight-600 numbers">{date}</span>
          </Link>
        );
      })}
    </nav>
  );
}
