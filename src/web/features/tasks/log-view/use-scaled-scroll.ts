// A scrolled list of any length, with rows of one height or of heights that are measured once they
// are drawn.
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
  advance,
  barFor,
  fitsWhole,
  type HeightOf,
  lastPlace,
  maxHeight,
  pixelsBetween,
  placeAfter,
  placeForKey,
  placeForRow,
  rowHeight,
} from './scaled-place.ts';

const restDelay = 200;
const overscan = 12;

interface ScaledScroll {
  /** Height of the scrolled element. */
  height: number;
  /** The rows to draw, counted from 0; `last` is not drawn any more. */
  first: number;
  last: number;
  /** Where the first drawn row sits in the scrolled element. */
  shift: number;
  /** The first row that is seen. */
  top: number;
  /** Pixels of the first row that are seen no more. */
  offset: number;
  following: boolean;
  toEnd: () => void;
  /** Puts a row to the top, but for so many pixels of it. */
  toPlace: (row: number, offset: number) => void;
  /** Brings a row into view, unless it is there. */
  toRow: (row: number) => void;
  onScroll: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

interface Rows {
  count: number;
  heightOf: HeightOf;
  /** Pixels that the drawn rows are higher than `rowHeight`, all together. */
  extra: number;
  /** Begin at the end and stay there. */
  follow: boolean;
}

export function useScaledScroll(
  frame: RefObject<HTMLDivElement | null>,
  { count: rows, heightOf, extra, follow }: Rows,
): ScaledScroll {
  const viewport = useHeight(frame);
  const [place, setPlace] = useState({ top: 0, bar: 0 });
  const [following, setFollowing] = useState(follow);
  const current = useRef(place);
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);

  const height = Math.min(rows * rowHeight + extra, maxHeight);
  const topMax = lastPlace(rows, viewport, heightOf);
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

  const here = () => ({ top: current.current.top, topMax, viewport, heightOf });
  const toRow = (row: number) => {
    setFollowing(false);
    goTo(placeForRow(row, here()));
  };

  const onScroll = () => {
    const bar = frame.current?.scrollTop ?? 0;
    const moved = bar - current.current.bar;
    if (moved === 0) return;
    const top = placeAfter({ ...here(), bar, moved, barMax });
    put(top, bar);
    // Where the room has just changed, it was the browser that scrolled and no person.
    if (frame.current?.clientHeight === viewport) setFollowing(top >= topMax - rowHeight / 2);
    clearTimeout(rest.current);
    if (!fitsWhole(topMax, barMax, heightOf))
      rest.current = setTimeout(() => goTo(current.current.top), restDelay);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.metaKey || event.shiftKey) return;
    const top = placeForKey(event.key, here());
    if (top === undefined) return;
    event.preventDefault();
    // A button in a row would take the keys with it when its row goes.
    frame.current?.focus({ preventScroll: true });
    move(top);
  };

  useEffect(() => () => clearTimeout(rest.current), []);
  useLayoutEffect(() => {
    // Elsewhere than at the end, rows may have been folded away below.
    if (following || current.current.top > topMax) put(topMax, moveBar(frame.current, barMax));
  }, [following, put, frame, topMax, barMax]);

  return {
    height,
    ...shownRows(place, viewport, rows, heightOf),
    following,
    toEnd: () => move(topMax),
    toPlace: (row, offset) => goTo(Math.min(topMax, advance(row * rowHeight, offset, heightOf))),
    toRow,
    onScroll,
    onKeyDown,
  };
}

/** What is drawn: the rows that are seen, and some on both sides. */
function shownRows(
  { top, bar }: { top: number; bar: number },
  viewport: number,
  rows: number,
  heightOf: HeightOf,
) {
  const seen = Math.floor(top / rowHeight);
  const first = Math.max(0, seen - overscan);
  const last = Math.min(rows, Math.ceil((top + viewport) / rowHeight) + overscan);
  const offset = pixelsBetween(seen, top, heightOf);
  return { top: seen, offset, first, last, shift: bar - pixelsBetween(first, top, heightOf) };
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
