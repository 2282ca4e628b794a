// Relates a place in a list of any length to a scroll bar of limited length. Pure functions.
//
// A place counts `rowHeight` for each row, however high it is: 2.5 rows from the top is the place
// 50, in the middle of the third row. Heights matter only where pixels are moved.

export const rowHeight = 20;

/** Browsers limit the height of an element; this is below the limit of all of them. */
export const maxHeight = 8_000_000;

/** The height of a row; `rowHeight` until it is measured. */
export type HeightOf = (row: number) => number;

export const sameHeight: HeightOf = () => rowHeight;

/** The place at a distance in pixels, which may be negative. */
export function advance(top: number, pixels: number, heightOf: HeightOf): number {
  if (heightOf === sameHeight) return top + pixels;
  let row = Math.max(0, Math.floor(top / rowHeight));
  let left = (top / rowHeight - row) * heightOf(row) + pixels;
  while (left < 0 && row > 0) {
    row -= 1;
    left += heightOf(row);
  }
  while (left >= heightOf(row)) {
    left -= heightOf(row);
    row += 1;
  }
  return (row + left / heightOf(row)) * rowHeight;
}

/** The last place, at which the last row ends with the viewport. */
export function lastPlace(rows: number, viewport: number, heightOf: HeightOf): number {
  const fits = rows * rowHeight - viewport;
  if (heightOf === sameHeight) return Math.max(0, fits);
  let row = rows;
  let left = viewport;
  while (row > 0 && left > 0) {
    row -= 1;
    left -= heightOf(row);
  }
  return (row + Math.max(0, -left) / heightOf(row)) * rowHeight;
}

/** The pixels between the top of a row and a place below it. */
export function pixelsBetween(row: number, top: number, heightOf: HeightOf): number {
  if (heightOf === sameHeight) return top - row * rowHeight;
  const last = Math.floor(top / rowHeight);
  let pixels = (top / rowHeight - last) * heightOf(last);
  for (let each = row; each < last; each += 1) pixels += heightOf(each);
  return pixels;
}

interface Move {
  /** The current position of the scroll bar, and how far it has moved. */
  bar: number;
  moved: number;
  /** The place before the move. */
  top: number;
  topMax: number;
  barMax: number;
  viewport: number;
  heightOf: HeightOf;
}

/** The place after a move of the scroll bar: small moves are exact, large ones proportional. */
export function placeAfter({ bar, moved, top, topMax, barMax, viewport, heightOf }: Move): number {
  if (fitsWhole(topMax, barMax, heightOf)) return bar;
  if (bar <= 0) return 0;
  if (bar >= barMax - 1) return topMax;
  const isSmall = Math.abs(moved) <= viewport * 2;
  const target = isSmall ? advance(top, moved, heightOf) : (bar / barMax) * topMax;
  return Math.min(topMax, Math.max(0, target));
}

/** Whether the list is short enough that the place equals the position of the scroll bar. */
export const fitsWhole = (topMax: number, barMax: number, heightOf: HeightOf): boolean =>
  topMax === barMax && heightOf === sameHeight;

/** The position of the scroll bar for a place in the list. */
export const barFor = (top: number, topMax: number, barMax: number): number =>
  topMax === barMax ? top : (top / Math.max(1, topMax)) * barMax;

interface ScrollGeometry {
  top: number;
  viewport: number;
  topMax: number;
  heightOf: HeightOf;
}

/** The place that a key scrolls to; undefined for other keys. */
export function placeForKey(
  key: string,
  { top, viewport, topMax, heightOf }: ScrollGeometry,
): number | undefined {
  const page = Math.max(rowHeight, viewport - rowHeight);
  const steps: Record<string, number> = {
    ArrowDown: rowHeight,
    ArrowUp: -rowHeight,
    PageDown: page,
    PageUp: -page,
  };
  if (key === 'Home') return 0;
  if (key === 'End') return topMax;
  const step = steps[key];
  if (step === undefined) return undefined;
  return Math.min(topMax, Math.max(0, advance(top, step, heightOf)));
}

/** A place at which a row is visible: the current one if it is visible already. */
export function placeForRow(
  row: number,
  { top, viewport, topMax, heightOf }: ScrollGeometry,
): number {
  const at = row * rowHeight;
  // A row is never lower than `rowHeight`, so one that far away is not visible.
  const isNear = at >= top && at - top <= viewport;
  const first = Math.floor(top / rowHeight);
  const above = isNear
    ? pixelsBetween(first, at, heightOf) - pixelsBetween(first, top, heightOf)
    : Infinity;
  if (above + heightOf(row) <= viewport) return top;
  return Math.min(topMax, Math.max(0, advance(at, -viewport / 2, heightOf)));
}
