// Virtual scrolling for a list of any length, with rows of one height or measured heights. Browsers
// limit the height of an element to some ten million pixels, but a million lines need twenty. Above
// a limit the element stops growing, and the place in the list (`top`) is stored separately from
// the scroll bar. When the scrolling ends, the bar is moved to its position for `top`.

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
import { useInnerHeight } from '../../../ui/use-inner-size.ts';

const restDelay = 200;
const overscan = 12;

interface ScaledScroll {
  /** The height of the scrolled element. */
  height: number;
  /** The drawn rows, counted from 0; `last` is exclusive. */
  first: number;
  last: number;
  /** The position of the first drawn row in the scrolled element. */
  shift: number;
  /** The first visible row. */
  top: number;
  /** The hidden pixels of the first visible row. */
  offset: number;
  following: boolean;
  /** Whether the last row is visible. */
  atEnd: boolean;
  toEnd: () => void;
  /** Scrolls a row to the top, with `offset` pixels of it hidden. */
  toPlace: (row: number, offset: number) => void;
  /** Scrolls to a row, unless it is visible. */
  toRow: (row: number) => void;
  onScroll: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

interface Rows {
  count: number;
  heightOf: HeightOf;
  /** The sum of the pixels by which drawn rows are higher than `rowHeight`. */
  extra: number;
  /** Whether the list begins at its end and follows it. */
  follow: boolean;
}

export function useScaledScroll(
  frame: RefObject<HTMLDivElement | null>,
  { follow, ...list }: Rows,
): ScaledScroll {
  const { count: rows, heightOf } = list;
  const viewport = useInnerHeight(frame);
  const [place, setPlace] = useState({ top: 0, bar: 0 });
  const [following, setFollowing] = useState(follow);
  const current = useRef(place);
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);

  const { height, topMax, barMax, isAtEnd } = measure(list, viewport);

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
    // A change of the height makes the browser scroll, which does not stop the following.
    if (frame.current?.clientHeight === viewport) setFollowing(isAtEnd(top));
    clearTimeout(rest.current);
    if (!fitsWhole(topMax, barMax, heightOf))
      rest.current = setTimeout(() => goTo(current.current.top), restDelay);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.metaKey || event.shiftKey) return;
    const top = placeForKey(event.key, here());
    if (top === undefined) return;
    event.preventDefault();
    // Moves the focus out of a row that is removed, so that keys keep working.
    frame.current?.focus({ preventScroll: true });
    move(top);
  };

  useEffect(() => () => clearTimeout(rest.current), [rest]);
  useLayoutEffect(() => {
    // Away from the end, rows below may have been folded.
    if (following || current.current.top > topMax) put(topMax, moveBar(frame.current, barMax));
  }, [following, put, frame, topMax, barMax]);

  return {
    height,
    ...shownRows(place, viewport, rows, heightOf),
    following,
    atEnd: viewport === 0 || isAtEnd(place.top),
    toEnd: () => move(topMax),
    toPlace: (row, offset) => goTo(Math.min(topMax, advance(row * rowHeight, offset, heightOf))),
    toRow,
    onScroll,
    onKeyDown,
  };
}

function measure({ count: rows, heightOf, extra }: Omit<Rows, 'follow'>, viewport: number) {
  const height = Math.min(rows * rowHeight + extra, maxHeight);
  const topMax = lastPlace(rows, viewport, heightOf);
  const isAtEnd = (top: number): boolean => top >= topMax - rowHeight / 2;
  return { height, topMax, barMax: Math.max(0, height - viewport), isAtEnd };
}

/** The rows to draw: the visible ones, and an overscan on both sides. */
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

/** Moves the scroll bar; returns its new position, which the browser may round. */
function moveBar(element: HTMLElement | null, bar: number): number {
  element?.scrollTo({ top: bar, behavior: 'instant' });
  return element?.scrollTop ?? 0;
}
