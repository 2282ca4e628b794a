import type { LinkProps } from '@tanstack/react-router';
import type { DayStats } from '#shared/api/stats.ts';
import { dayWords, results, sumOf } from '../lib/day-figures.ts';
import { languageTag, t } from '../lib/i18n.ts';
import type { Bar } from '../ui/charts/bar-strip.tsx';

// The smallest scale of the y axis, so that a single run does not fill the height.
const MIN_SCALE = 4;

/** A bar for each day, stacked by result. */
export function dayBars(
  days: DayStats[],
  linkOf: (day: DayStats['day']) => { link: LinkProps; isCurrent?: boolean },
): Bar[] {
  const scale = Math.max(MIN_SCALE, ...days.map(sumOf));
  return days.map((day) => {
    const counts = results.map((result) => `${t(`task.status.${result}`)} ${day[result]}`);
    return {
      key: day.day,
      label: `${dayWords(day.day, languageTag, true)}: ${counts.join(', ')}`,
      parts: results
        .toReversed()
        .map((result) => ({ result, share: day[result] / scale }))
        .filter(({ share }) => share > 0),
      ...linkOf(day.day),
    };
  });
}
