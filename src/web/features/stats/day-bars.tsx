import type { LinkProps } from '@tanstack/react-router';
import type { DayStats } from '#shared/api/stats.ts';
import { dayWords, medianWords, type Picked } from '../../lib/day-figures.ts';
import { languageTag, t } from '../../lib/i18n.ts';
import { BarStrip } from '../../ui/charts/bar-strip.tsx';
import { dayBars } from '../../resources/day-bars.ts';
import { DurationStrip } from './duration-strip.tsx';
import classes from './stats.module.css';

interface Props {
  days: DayStats[];
  /** The median duration of each day in seconds. */
  medians: (number | null)[];
  picked: Picked;
  /** Called with the index of the hovered or focused day. */
  onPoint: (index: number | null) => void;
  /** Of the pointed day, or of all. */
  median: number | null;
}

/** A bar for each day, which leads to the runs of the day. */
export function DayBars({ days, medians, picked, onPoint, median }: Props) {
  const bars = dayBars(days, (day) => {
    const isCurrent = picked.from === day && picked.to === day;
    // A second click on the same day removes the filter.
    const part = isCurrent ? { from: undefined, to: undefined } : { from: day, to: day };
    const search = (all: object) => ({ ...all, before: undefined, ...part });
    return { link: { to: '.', search } as LinkProps, isCurrent };
  });
  const labelled = bars.map((bar, index) => {
    const length = medians[index] ?? null;
    if (length === null) return bar;
    const words = `${t('stats.median')} ${medianWords(length, languageTag)}`;
    return { ...bar, label: `${bar.label}, ${words}` };
  });
  return (
    <>
      <BarStrip label={t('stats.runs')} bars={labelled} height={32} onPoint={onPoint} />
      <DurationStrip medians={medians} height={12} />
      <p
        className="flex wrap between soft"
        style={{ fontSize: 11, lineHeight: '16px' }}
        aria-hidden="true"
      >
        <Day day={days[0]} />
        <span className={classes['duration-legend']}>
          {t('stats.median')}{' '}
          <strong className="weight-600 color-text numbers">
            {medianWords(median, languageTag)}
          </strong>
        </span>
        <Day day={days.at(-1)} />
      </p>
    </>
  );
}

function Day({ day }: { day: DayStats | undefined }) {
  return <span>{day && dayWords(day.day, languageTag)}</span>;
}
