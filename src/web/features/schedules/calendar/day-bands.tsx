// What is due several times a day: a line above the hours.

import { Link } from '@tanstack/react-router';
import { languageTag, t, timeTag } from '../../../lib/i18n.ts';
import { span } from '../../../lib/time.ts';
import { nameOf } from '../schedules.queries.ts';
import classes from './calendar.module.css';
import type { CalendarBand } from './calendar-model.ts';
import { clock } from './calendar-week.ts';
import { resultWords, signs } from './result-marks.tsx';

/** A few lines leave the hours in sight. */
const MAX_BANDS = 5;

interface Props {
  projectId: number;
  bands: CalendarBand[];
  /** Whether all of them are shown. */
  isOpen: boolean;
  onOpen: () => void;
}

/** The frequent runs of a day, those that failed first. */
export function DayBands({ projectId, bands, isOpen, onOpen }: Props) {
  const sorted = bands.toSorted((one, other) => other.bad - one.bad);
  const shown = isOpen || bands.length <= MAX_BANDS ? sorted : sorted.slice(0, MAX_BANDS - 1);
  const hidden = sorted.slice(shown.length);
  return (
    <div className={`column gap-2 ${classes.bands}`}>
      {shown.map((band) => (
        <BandBlock key={band.key} projectId={projectId} band={band} />
      ))}
      {hidden.length > 0 && (
        <button
          type="button"
          className={`cut text-start focus-inside ${classes.hidden}`}
          data-arrows
          tabIndex={-1}
          title={hidden.map(({ schedule }) => nameOf(schedule)).join(', ')}
          onClick={onOpen}
        >
          {t('stats.more', { count: hidden.length })}
        </button>
      )}
    </div>
  );
}

/** "every 5 min", or the number of times where they are not regular. */
export const frequencyOf = ({ everySeconds, count }: CalendarBand): string =>
  everySeconds === null
    ? t('schedule.calendar.times', { count })
    : t('schedule.calendar.every', { time: span(everySeconds, languageTag) });

export const bandTimes = ({ from, to }: CalendarBand): string =>
  `${clock(from, timeTag())}–${clock(to, timeTag())}`;

function BandBlock({ projectId, band }: { projectId: number; band: CalendarBand }) {
  const { schedule, result, bad } = band;
  const name = nameOf(schedule);
  const failures = bad > 0 ? `, ${resultWords(result)}: ${bad}` : '';
  const words = `${name}, ${frequencyOf(band)}, ${bandTimes(band)}${failures}`;
  return (
    <Link
      to="/project/$projectId/schedules/$scheduleId"
      params={{ projectId, scheduleId: schedule.id }}
      className={`block overflow-hidden no-underline focus-inside ${classes.band}`}
      data-result={result}
      data-arrows
      tabIndex={-1}
      aria-label={words}
      title={words}
    >
      <span className="flex gap-4 between">
        <span className="cut">
          <span className={classes.sign}>{signs[result]}</span>
          {name}
        </span>
        <span className="soft flex-none">{frequencyOf(band)}</span>
      </span>
    </Link>
  );
}
