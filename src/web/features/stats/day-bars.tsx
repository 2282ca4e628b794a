import type { LinkProps } from '@tanstack/react-router';
import type { DayStats } from '#shared/api/stats.ts';
import { dayWords, type Picked } from '../../lib/day-figures.ts';
import { languageTag, t } from '../../lib/i18n.ts';
import { BarStrip } from '../../ui/charts/bar-strip.tsx';
import { dayBars } from '../../resources/day-bars.ts';

interface Props {
  days: DayStats[];
  picked: Picked;
  /** Called with the index of the hovered or focused day. */
  onPoint: (index: number | null) => void;
}

/** A bar for each day, which leads to the runs of the day. */
export function DayBars({ days, picked, onPoint }: Props) {
  const bars = dayBars(days, (day) => {
    const isCurrent = picked.from === day && picked.to === day;
    // A second click on the same day removes the filter.
    const part = isCurrent ? { from: undefined, to: undefined } : { from: day, to: day };
    const search = (all: object) => ({ ...all, before: undefined, ...part });
    return { link: { to: '.', search } as LinkProps, isCurrent };
  });
  return (
    <>
      <BarStrip label={t('stats.runs')} bars={bars} height={60} onPoint={onPoint} />
      <p
        className="flex between soft"
        style={{ fontSize: 11, lineHeight: '16px' }}
        aria-hidden="true"
      >
        {[days[0], days.at(-1)].map(
          (day) => day && <span key={day.day}>{dayWords(day.day, languageTag)}</span>,
        )}
      </p>
    </>
  );
}
