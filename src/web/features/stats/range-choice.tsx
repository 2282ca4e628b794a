import { Link } from '@tanstack/react-router';
import { dayRanges, shownDays } from '#shared/api/stats.ts';
import { languageTag, t } from '../../lib/i18n.ts';
import classes from './stats.module.css';

export type DayRange = (typeof dayRanges)[number];

const daysFormat = (unitDisplay: 'narrow' | 'long') =>
  new Intl.NumberFormat(languageTag, { style: 'unit', unit: 'day', unitDisplay });
const short = daysFormat('narrow');
const long = daysFormat('long');

/** Chooses the days of all numbers; each choice is an address. */
export function RangeChoice({ days }: { days: DayRange }) {
  return (
    <ul className="flex small border rounded-4" aria-label={t('stats.range')}>
      {dayRanges.map((range) => (
        <li key={range}>
          <Link
            className={`block no-underline rounded-4 numbers ${classes.range}`}
            to="."
            search={(all) => ({ ...all, days: range === shownDays ? undefined : range })}
            resetScroll={false}
            // The router would mark a link without the parameter as active too.
            activeOptions={{ exact: true }}
            aria-label={long.format(range)}
            aria-current={range === days ? 'true' : undefined}
          >
            {short.format(range)}
          </Link>
        </li>
      ))}
    </ul>
  );
}
