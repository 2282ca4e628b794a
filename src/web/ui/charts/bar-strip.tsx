import { Link, type LinkProps } from '@tanstack/react-router';
import { type KeyboardEvent, useRef, useState } from 'react';
import classes from './bar-strip.module.css';
import { type BarResult, ResultFill } from './result-fill.tsx';

export interface Bar {
  key: number | string;
  /** All that the bar shows, in words. */
  label: string;
  link: LinkProps;
  isCurrent?: boolean;
  /** From the top to the bottom; a share of 1 is the whole height. */
  parts: { result: BarResult; share: number }[];
}

interface Props {
  label: string;
  bars: Bar[];
  /** In px. */
  height: number;
  /** The number of bars that fill the width; fewer bars begin at its left end. */
  room?: number;
  /** Called with the index of the hovered or focused bar. */
  onPoint?: (index: number | null) => void;
  /** Whether the strip shows the label of a bar beside it. */
  withTips?: boolean;
}

/** Bars that are links. They have a roving tabindex: one tab stop, and arrow keys. */
export function BarStrip({ label, bars, height, room, onPoint, withTips }: Props) {
  const list = useRef<HTMLUListElement>(null);
  const [focused, setFocused] = useState<number | null>(null);
  const stop = Math.min(focused ?? bars.length - 1, bars.length - 1);
  const move = (event: KeyboardEvent) => {
    const next = indexAfter(event.key, stop, bars.length);
    if (next === null) return;
    event.preventDefault();
    list.current?.querySelectorAll('a')[next]?.focus();
  };
  return (
    <ul className="flex" style={{ height }} ref={list} aria-label={label}>
      {bars.map((bar, index) => (
        <li
          key={bar.key}
          className="grow"
          style={room ? { maxWidth: `${100 / room}%` } : undefined}
        >
          <Link
            {...bar.link}
            className={`column justify-end selectable no-underline ${classes.bar}`}
            resetScroll={false}
            // The router would mark a link without the filter as active too.
            activeOptions={{ exact: true }}
            aria-label={bar.label}
            aria-current={bar.isCurrent ? 'true' : undefined}
            data-tip={withTips ? bar.label : undefined}
            tabIndex={index === stop ? 0 : -1}
            onKeyDown={move}
            onFocus={() => {
              setFocused(index);
              onPoint?.(index);
            }}
            onBlur={() => onPoint?.(null)}
            onMouseEnter={() => onPoint?.(index)}
            onMouseLeave={() => onPoint?.(null)}
          >
            {bar.parts.map(({ result, share }) => (
              <ResultFill key={result} result={result} style={{ height: `${share * 100}%` }} />
            ))}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The index of the bar that a key moves to; null for other keys. */
function indexAfter(key: string, index: number, count: number): number | null {
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  if (key === 'ArrowLeft') return Math.max(index - 1, 0);
  return key === 'ArrowRight' ? Math.min(index + 1, count - 1) : null;
}
