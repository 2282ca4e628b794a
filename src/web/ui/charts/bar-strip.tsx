import { Link, type LinkProps } from '@tanstack/react-router';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useInnerWidth } from '../use-inner-size.ts';
import { type BarPart, indexAfter, indexAt } from './bar-shapes.ts';
import classes from './bar-strip.module.css';
import { Bars } from './bars.tsx';

export interface Bar {
  key: number | string;
  /** All that the bar shows, in words. */
  label: string;
  link: LinkProps;
  isCurrent?: boolean;
  /** From the top to the bottom. */
  parts: BarPart[];
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

/** Bars that are links: one drawing, and a link over the bar under the pointer or with the focus. */
export function BarStrip({ label, bars, height, room, onPoint, withTips = false }: Props) {
  const strip = useRef<HTMLDivElement>(null);
  const width = useInnerWidth(strip);
  const [pointed, setPointed] = useState<number | null>(null);
  // The newest bar, until another one gets the focus.
  const [stop, setStop] = useState(Infinity);
  const [moves, setMoves] = useState(0);
  const index = Math.min(pointed ?? stop, bars.length - 1);
  const bar = bars[index];
  const point = (next: number | null) => {
    if (next === pointed) return;
    // A click in the same frame has to find the link under the pointer.
    flushSync(() => setPointed(next));
    onPoint?.(next);
  };
  const onPointer = ({ currentTarget, clientX }: PointerEvent) => {
    const box = currentTarget.getBoundingClientRect();
    point(indexAt(clientX - box.left, bars.length, box.width));
  };
  return (
    <div
      ref={strip}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset is a group of form controls
      role="group"
      aria-label={label}
      className={`relative ${classes.strip}`}
      style={{ height, width: room && `${Math.min(1, bars.length / room) * 100}%` }}
      onPointerMove={onPointer}
      onPointerDown={onPointer}
      // A finger leaves before its click.
      onPointerLeave={({ pointerType }) => pointerType !== 'touch' && point(null)}
    >
      <Bars bars={bars} width={width} height={height - 1} pointed={pointed} />
      {bar && (
        <BarLink
          // A new element for each move by key, so that screen readers read the label of the bar.
          key={moves}
          bar={bar}
          index={index}
          count={bars.length}
          withFocus={moves > 0}
          withTip={withTips}
          onFocus={() => {
            setStop(index);
            onPoint?.(index);
          }}
          onBlur={() => onPoint?.(null)}
          onMove={(next) => {
            setPointed(null);
            setStop(next);
            setMoves(moves + 1);
          }}
        />
      )}
    </div>
  );
}

interface BarLinkProps {
  bar: Bar;
  index: number;
  count: number;
  /** Whether the link takes the focus when it appears. */
  withFocus: boolean;
  withTip: boolean;
  onFocus: () => void;
  onBlur: () => void;
  onMove: (index: number) => void;
}

function BarLink({ bar, index, count, withFocus, withTip, onMove, ...handlers }: BarLinkProps) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (withFocus) link.current?.focus();
  }, [withFocus]);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = indexAfter(event.key, index, count);
    if (next === null) return;
    event.preventDefault();
    if (next !== index) onMove(next);
  };
  return (
    <Link
      {...bar.link}
      {...handlers}
      ref={link}
      className={`absolute ${classes.link}`}
      style={{ left: `${(index / count) * 100}%`, width: `${100 / count}%` }}
      resetScroll={false}
      // The router would mark a link without the filter as active too.
      activeOptions={{ exact: true }}
      aria-label={bar.label}
      aria-current={bar.isCurrent ? 'true' : undefined}
      data-tip={withTip ? bar.label : undefined}
      onKeyDown={onKeyDown}
    />
  );
}
