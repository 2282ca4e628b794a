import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, useRef, useState } from 'react';
import type { DayStats } from '#shared/api/stats.ts';
import { languageTag, t } from '../../lib/i18n.ts';
import { dayWords, type Picked, results, sumOf } from './figures.ts';
import classes from './stats.module.css';

interface Props {
  days: DayStats[];
  picked: Picked;
  /** Called with the index of the day under the pointer or with the focus. */
  onPoint: (place: number | null) => void;
}

// The lowest number of runs that fills the height, so that a single run is no tower.
const MIN_HEIGHT = 4;

/**
 * A bar for each day, which leads to the runs of the day. The bars are one stop of the Tab key; the
 * arrow keys move between them.
 */
export function DayBars({ days, picked, onPoint }: Props) {
  const list = useRef<HTMLUListElement>(null);
  const [reached, setReached] = useState(days.length - 1);
  const highest = Math.max(MIN_HEIGHT, ...days.map(sumOf));
  const move = (event: KeyboardEvent) => {
    const place = placeAfter(event.key, reached, days.length);
    if (place === null) return;
    event.preventDefault();
    list.current?.querySelectorAll('a')[place]?.focus();
  };
  const words = (day: DayStats) =>
    results.map((result) => `${t(`task.status.${result}`)} ${day[result]}`).join(', ');
  return (
    <>
      <ul className={`flex ${classes.days}`} style={{ height: 60 }} ref={list}>
        {days.map((day, place) => (
          <li key={day.day} className="grow">
            <Link
              className="column justify-end border-bottom selectable no-underline"
              style={{ height: '100%', padding: '0 10%', borderRadius: 2 }}
              to="."
              search={(search) => ({ ...search, before: undefined, ...partOf(day.day, picked) })}
              resetScroll={false}
              // The router would mark a link that leaves the filter as that of this page.
              activeOptions={{ exact: true }}
              aria-label={`${dayWords(day.day, languageTag, true)}: ${words(day)}`}
              aria-current={isPicked(day.day, picked) ? 'true' : undefined}
              tabIndex={place === reached ? 0 : -1}
              onKeyDown={move}
              onFocus={() => {
                setReached(place);
                onPoint(place);
              }}
              onBlur={() => onPoint(null)}
              onMouseEnter={() => onPoint(place)}
              onMouseLeave={() => onPoint(null)}
            >
              {results.toReversed().map((result) => (
                <span
                  key={result}
                  data-result={result}
                  style={{ height: `${(day[result] / highest) * 100}%` }}
                />
              ))}
            </Link>
          </li>
        ))}
      </ul>
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

const isPicked = (day: string, { from, to }: Picked): boolean => from === day && to === day;

/** A second click on the same day shows all days again. */
const partOf = (day: string, picked: Picked) =>
  isPicked(day, picked) ? { from: undefined, to: undefined } : { from: day, to: day };

/** The bar to which a key leads; null for a key without meaning. */
function placeAfter(key: string, place: number, count: number): number | null {
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  if (key === 'ArrowLeft') return Math.max(place - 1, 0);
  return key === 'ArrowRight' ? Math.min(place + 1, count - 1) : null;
}
