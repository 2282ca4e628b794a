import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, useRef, useState } from 'react';
import type { DayStats } from '#shared/api/stats.ts';
import { languageTag, t } from '../../lib/i18n.ts';
import { dayWords, type Picked, results, sumOf } from './figures.ts';
import classes from './stats.module.css';

interface Props {
  days: DayStats[];
  picked: Picked;
  /** Called with the index of the hovered or focused day. */
  onPoint: (place: number | null) => void;
}

// The smallest scale of the y axis, so that a single run does not fill the height.
const MIN_HEIGHT = 4;

/**
 * A bar for each day, which leads to the runs of the day. The bars have a roving tabindex: one tab
 * stop, and arrow keys.
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
              // The router would mark a link without the filter as active too.
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

/** A second click on the same day removes the filter. */
const partOf = (day: string, picked: Picked) =>
  isPicked(day, picked) ? { from: undefined, to: undefined } : { from: day, to: day };

/** The index of the bar that a key moves to; null for other keys. */
function placeAfter(key: string, place: number, count: number): number | null {
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  if (key === 'ArrowLeft') return Math.max(place - 1, 0);
  return key === 'ArrowRight' ? Math.min(place + 1, count - 1) : null;
}
