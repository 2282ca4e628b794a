import { Link } from '@tanstack/react-router';
import {
  IconCalendarWeek,
  IconChevronLeft,
  IconChevronRight,
  IconTable,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t, timeTag } from '../../../lib/i18n.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { Select } from '../../../ui/forms/select.ts';
import { zones } from '../zone-select.tsx';
import type { CalendarAddress, CalendarPlace } from './calendar-address.ts';
import classes from './calendar.module.css';
import { addDays, shortDay, weekWords } from './calendar-week.ts';

export const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

export function CalendarBar({ from, place, onPlace }: CalendarAddress & { from: string }) {
  const isTable = place.as === 'table';
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
      <Select
        size="xs"
        w={220}
        aria-label={t('schedule.time_zone')}
        placeholder={t('schedule.calendar.own_zone', { zone: ownZone() })}
        data={zones}
        limit={60}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t('common.clear') }}
        nothingFoundMessage={t('schedule.no_zone')}
        value={place.zone ?? null}
        onChange={(zone) => onPlace({ zone: zone ?? undefined })}
      />
      <IconButton
        label={t(isTable ? 'schedule.calendar.as_calendar' : 'stats.as_table')}
        icon={isTable ? <IconCalendarWeek size={16} /> : <IconTable size={16} />}
        onClick={() => onPlace({ as: isTable ? 'week' : 'table' })}
      />
    </div>
  );
}

interface WeekLinkProps {
  label?: string;
  part: CalendarPlace;
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
