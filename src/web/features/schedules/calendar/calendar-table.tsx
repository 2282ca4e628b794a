import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { languageTag, t, timeTag } from '../../../lib/i18n.ts';
import { span } from '../../../lib/time.ts';
import { nameOf } from '../schedules.queries.ts';
import classes from './calendar.module.css';
import type { CalendarBand, CalendarColumn, CalendarRun } from './calendar-model.ts';
import { longDay } from './calendar-week.ts';
import { bandTimes, frequencyOf } from './day-bands.tsx';
import { resultWords, signs } from './result-marks.tsx';
import { timesOf } from './run-block.tsx';

export interface TableProps {
  projectId: number;
  label: string;
  columns: CalendarColumn[];
  renderTask: (taskId: number) => ReactNode;
  renderRun: (runId: number) => ReactNode;
}

/** The calendar as a table, a group of rows for each day. */
export function CalendarTable({ label, columns, ...links }: TableProps) {
  return (
    <div className="overflow-auto">
      <table className={`w-full small ${classes.table}`} aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{t('schedule.calendar.time')}</th>
            <th scope="col">{t('schedule.one')}</th>
            <th scope="col">{t('schedule.calendar.duration')}</th>
            <th scope="col">{t('schedule.result.label')}</th>
            <th scope="col">{t('schedule.calendar.overlaps_with')}</th>
          </tr>
        </thead>
        {columns.map((column) => (
          <DayRows key={column.day} {...links} column={column} isAlone={columns.length === 1} />
        ))}
      </table>
    </div>
  );
}

type Links = Omit<TableProps, 'columns' | 'label'>;

function DayRows({
  column: { day, runs, bands },
  isAlone,
  ...links
}: Links & { column: CalendarColumn; isAlone: boolean }) {
  return (
    <tbody>
      {!isAlone && (
        <tr>
          <th scope="rowgroup" colSpan={5}>
            {longDay(day, timeTag())}
          </th>
        </tr>
      )}
      {bands.map((band) => (
        <tr key={band.key}>
          <td className="numbers nowrap">{bandTimes(band)}</td>
          <td>
            <NameLink {...links} of={band} />
          </td>
          <td className="soft">{frequencyOf(band)}</td>
          <td>{resultWords(band.result)}</td>
          <td>—</td>
        </tr>
      ))}
      {runs.map((run) => (
        <RunRow key={run.key} {...links} run={run} />
      ))}
    </tbody>
  );
}

function NameLink({ projectId, of }: Links & { of: CalendarRun | CalendarBand }) {
  const { id } = of.schedule;
  return (
    <Link to="/project/$projectId/schedules/$scheduleId" params={{ projectId, scheduleId: id }}>
      {nameOf(of.schedule)}
    </Link>
  );
}

function RunRow({ run, ...links }: Links & { run: CalendarRun }) {
  const { result, seconds, taskId, runId, overlaps } = run;
  const names = [...new Set(overlaps.map(({ schedule }) => nameOf(schedule)))].join(', ');
  return (
    <tr>
      <td className="numbers nowrap">{timesOf(run)}</td>
      <td>
        <NameLink {...links} of={run} />
      </td>
      <td className="numbers nowrap">{seconds === null ? '—' : span(seconds, languageTag)}</td>
      <td className="nowrap">
        <span className={classes.mark} data-result={result}>
          <span className={classes.sign}>{signs[result]}</span>
          {resultWords(result)}
        </span>{' '}
        {taskId !== null && links.renderTask(taskId)}
        {runId !== null && links.renderRun(runId)}
      </td>
      <td>{names || '—'}</td>
    </tr>
  );
}
