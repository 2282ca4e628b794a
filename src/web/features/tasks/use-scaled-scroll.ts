// A scrolled list of any length with rows of one height.
//
// Browsers cap the height of an element at some ten million pixels, a million lines need twenty.
// Above a limit the element stops growing, and the place in the list (`top`) is kept apart from
// the scroll bar. When the scrolling rests, the bar is put where `top` says it belongs.

import {
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import {
  barFor,
  maxHeight,
  placeAfter,
  placeForKey,
  placeForRow,
  rowHeight,
} from './scaled-place.ts';

const restDelay = 200;
const overscan = 12;

export interface ScaledScroll {
  /** Height of the scrolled element. */
  height: number;
  /** The rows to draw, counted from 0; `last` is not drawn any more. */
  first: number;
  last: number;
  /** Where the first drawn row sits in the scrolled element. */
  shift: number;
  /** The first row that is seen. */
  top: number;
  following: boolean;
  toEnd: () => void;
  /** Brings a row into view, unless it is there. */
  toRow: (row: number) => void;
  onScroll: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

export function useScaledScroll(
  frame: RefObject<HTMLDivElement | null>,
  rows: number,
): ScaledScroll {
  const viewport = useHeight(frame);
  const [place, setPlace] = useState({ top: 0, bar: 0 });
  const [following, setFollowing] = useState(true);
  const current = useRef(place);
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);

  const height = Math.min(rows * rowHeight, maxHeight);
  const topMax = Math.max(0, rows * rowHeight - viewport);
  const barMax = Math.max(0, height - viewport);

  const put = useCallback((top: number, bar: number) => {
    current.current = { top, bar };
    setPlace(current.current);
  }, []);
  const goTo = (top: number) => put(top, moveBar(frame.current, barFor(top, topMax, barMax)));
  const move = (top: number) => {
    goTo(top);
    setFollowing(top >= topMax - 1);
  };

  const toRow = (row: number) => {
    setFollowing(false);
    goTo(placeForRow(row, { top: current.current.top, viewport, topMax }));
  };

  const onScroll = () => {
    const bar = frame.current?.scrollTop ?? 0;
    const moved = bar - current.current.bar;
    if (moved === 0) return;
    const top = placeAfter({ bar, moved, top: current.current.top, topMax, barMax, viewport });
    put(top, bar);
    // Where the room has just changed, it was the browser that scrolled and no person.
    if (frame.current?.clientHeight === viewport) setFollowing(top >= topMax - rowHeight / 2);
    clearTimeout(rest.current);
    if (topMax !== barMax) rest.current = setTimeout(() => goTo(current.current.top), restDelay);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.metaKey || event.shiftKey) return;
    const top = placeForKey(event.key, { top: current.current.top, viewport, topMax });
    if (top === undefined) return;
    event.preventDefault();
    move(top);
  };

  useEffect(() => () => clearTimeout(rest.current), []);
  useLayoutEffect(() => {
    if (following) put(topMax, moveBar(frame.current, barMax));
  }, [following, put, frame, topMax, barMax]);

  return {
    height,
    ...shownRows(place, viewport, rows),
    following,
    toEnd: () => move(topMax),
    toRow,
    onScroll,
    onKeyDown,
  };
}

/** What is drawn: the rows that are seen, and some on both sides. */
function shownRows({ top, bar }: { top: number; bar: number }, viewport: number, rows: number) {
  const seen = Math.floor(top / rowHeight);
  const first = Math.max(0, seen - overscan);
  const last = Math.min(rows, Math.ceil((top + viewport) / rowHeight) + overscan);
  return { top: seen, first, last, shift: bar - (top - first * rowHeight) };
}

/** Moves the scroll bar; answers where it stands then, which the browser may round. */
function moveBar(element: HTMLElement | null, bar: number): number {
  element?.scrollTo({ top: bar, behavior: 'instant' });
  return element?.scrollTop ?? 0;
}

function useHeight(frame: RefObject<HTMLDivElement | null>): number {
  const [height, setHeight] = useState(0);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, [frame]);
  return height;
}
