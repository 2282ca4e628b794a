import type { DayStats } from '#shared/api/stats.ts';
import { languageTag, t } from '../../lib/i18n.ts';
import { dayWords, medianWords, results } from '../../lib/day-figures.ts';
import classes from './stats.module.css';

interface Props {
  days: DayStats[];
  /** The median duration of each day in seconds. */
  medians: (number | null)[];
}

export function DayTable({ days, medians }: Props) {
  return (
    <section
      style={{ height: '100%', overflowY: 'auto' }}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by the keyboard
      tabIndex={0}
      aria-label={t('stats.runs')}
    >
      <table className={`w-full small ${classes.table}`}>
        <thead>
          <tr>
            <th scope="col">{t('stats.day')}</th>
            {results.map((result) => (
              <th key={result} scope="col">
                {t(`task.status.${result}`)}
              </th>
            ))}
            <th scope="col">{t('stats.median')}</th>
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map((day, index) => (
            <tr key={day.day}>
              <th scope="row">{dayWords(day.day, languageTag, true)}</th>
              {results.map((result) => (
                <td key={result} className="numbers">
                  {t('stats.number', { count: day[result] })}
                </td>
              ))}
              <td className="numbers">
                {medianWords(medians[days.length - 1 - index] ?? null, languageTag)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
