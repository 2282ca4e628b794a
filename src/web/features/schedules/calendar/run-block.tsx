import { Link } from '@tanstack/react-router';
import { languageTag, t, timeTag } from '../../../lib/i18n.ts';
import { span } from '../../../lib/time.ts';
import { nameOf } from '../schedules.queries.ts';
import classes from './calendar.module.css';
import type { HiddenRuns, PlacedRun } from './calendar-layout.ts';
import type { CalendarRun } from './calendar-model.ts';
import { clock } from './calendar-week.ts';
import { resultWords, signs } from './result-marks.tsx';

const laneStyle = (lane: number, lanes: number) => ({
  left: `${(lane / lanes) * 100}%`,
  width: `${100 / lanes}%`,
});

/** "02:00–02:12"; the beginning only if the end is unknown. */
export function timesOf({ from, to, seconds }: CalendarRun): string {
  const begin = clock(from, timeTag());
  return seconds === null || to - from < 1 ? begin : `${begin}–${clock(to, timeTag())}`;
}

function runWords(run: CalendarRun): string {
  const { schedule, seconds, result, overlaps } = run;
  const parts = [
    `${timesOf(run)} ${nameOf(schedule)}`,
    result === 'due' ? null : resultWords(result),
    seconds === null ? null : span(seconds, languageTag),
    overlaps.length === 0 ? null : t('schedule.calendar.overlaps', { count: overlaps.length }),
  ];
  return parts.filter(Boolean).join(', ');
}

interface BlockProps extends PlacedRun {
  projectId: number;
}

export function RunBlock({ projectId, run, top, height, length, lane, lanes }: BlockProps) {
  const words = runWords(run);
  return (
    <Link
      to="/project/$projectId/schedules/$scheduleId"
      params={{ projectId, scheduleId: run.schedule.id }}
      className={`absolute overflow-hidden no-underline focus-inside ${classes.run}`}
      style={{ top, height, ...laneStyle(lane, lanes) }}
      data-result={run.result}
      data-overlaps={run.overlaps.length > 0 || undefined}
      data-arrows
      tabIndex={-1}
      aria-label={words}
      title={words}
    >
      <span className={`absolute ${classes.length}`} style={{ height: length }} />
      <span className="cut block relative">
        <span className={classes.sign}>{signs[run.result]}</span>
        {nameOf(run.schedule)}
      </span>
    </Link>
  );
}

interface HiddenProps {
  hidden: HiddenRuns;
  onOpen: (hour: number) => void;
}

export function HiddenBlock({ hidden: { top, runs, lanes }, onOpen }: HiddenProps) {
  const names = runs.map(({ schedule }) => nameOf(schedule)).join(', ');
  return (
    <button
      type="button"
      className={`absolute cut focus-inside ${classes.hidden}`}
      style={{ top, ...laneStyle(lanes - 1, lanes) }}
      data-arrows
      tabIndex={-1}
      aria-label={`${t('stats.more', { count: runs.length })}: ${names}`}
      title={names}
      onClick={() => onOpen(Math.floor((runs[0]?.from ?? 0) / 60))}
    >
      {`+${runs.length}`}
    </button>
  );
}
