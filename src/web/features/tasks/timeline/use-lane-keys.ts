import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react';
import { barsOf, type Lane } from './lanes.ts';
import type { ResultColumns } from './result-columns.ts';
import { laneHeight } from './shapes.ts';
import type { Zoom } from './use-zoom.ts';

/** The bar under the pointer or with the focus. */
export interface Current {
  /** The key of its lane. */
  key: string;
  /** Its index in the lane. */
  bar: number;
}

interface Options {
  box: RefObject<HTMLElement | null>;
  lanes: readonly Lane[];
  columns: ResultColumns;
  start: number;
  current: Current | null;
  setCurrent: (current: Current) => void;
  zoom: Zoom;
}

const ZOOM_FACTOR = 1.5;

/** Arrow keys, Home and End move the focus from bar to bar; +, - and 0 zoom. */
export function useLaneKeys(options: Options): (event: KeyboardEvent) => void {
  const { box, lanes, columns, start, current, setCurrent, zoom } = options;
  const wantsFocus = useRef(false);
  useEffect(() => {
    if (!wantsFocus.current) return;
    const link = box.current?.querySelector<HTMLElement>('[data-current]');
    // The lane is drawn after the table has scrolled to it.
    if (!link) return;
    wantsFocus.current = false;
    link.focus({ preventScroll: true });
  });
  const focus = (next: Current, bar: { begin: number }) => {
    wantsFocus.current = true;
    setCurrent(next);
    zoom.reveal(bar.begin - start);
    scrollTo(
      box.current,
      lanes.findIndex(({ key }) => key === next.key),
    );
  };
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (zoomByKey(event.key, zoom)) return event.preventDefault();
    const next = nextBar(event.key, { lanes, columns, current });
    const lane = next && lanes.find(({ key }) => key === next.key);
    const bar = lane && next && barsOf(lane, columns)[next.bar];
    if (!next || !bar) return undefined;
    event.preventDefault();
    return focus(next, bar);
  };
}

function zoomByKey(key: string, zoom: Zoom): boolean {
  if (key === '+' || key === '=') zoom.by(ZOOM_FACTOR);
  else if (key === '-') zoom.by(1 / ZOOM_FACTOR);
  else if (key === '0') zoom.showAll();
  else return false;
  return true;
}

type Where = Pick<Options, 'lanes' | 'columns' | 'current'>;

/** The bar to which a key moves; null for other keys and at the ends. */
function nextBar(key: string, { lanes, columns, current }: Where): Current | null {
  const at = lanes.findIndex((lane) => lane.key === current?.key);
  const barIn = (lane: Lane | undefined, index: number): Current | null => {
    if (!lane) return null;
    const last = barsOf(lane, columns).length - 1;
    return { key: lane.key, bar: Math.min(Math.max(index, 0), last) };
  };
  const opens = (lane: Lane) => lane.kind !== 'stage' && barsOf(lane, columns).length > 0;
  const bar = current?.bar ?? 0;
  if (key === 'ArrowDown') return barIn(lanes.slice(at + 1).find(opens), bar);
  if (key === 'ArrowUp') return barIn(lanes.slice(0, Math.max(at, 0)).findLast(opens), bar);
  if (key === 'Home') return barIn(lanes.find(opens), bar);
  if (key === 'End') return barIn(lanes.findLast(opens), bar);
  if (key === 'ArrowRight') return barIn(lanes[at], bar + 1);
  return key === 'ArrowLeft' ? barIn(lanes[at], bar - 1) : null;
}

/** Scrolls as little as possible until a lane is visible below the header. */
export function scrollTo(box: HTMLElement | null, index: number): void {
  const frame = box?.querySelector('section');
  if (!frame || index < 0) return;
  const top = index * laneHeight;
  const lowest = top + 2 * laneHeight - frame.clientHeight;
  frame.scrollTop = Math.min(Math.max(frame.scrollTop, lowest), top);
}
