// Where in a list of any length a scroll bar of limited length stands. Pure.

export const rowHeight = 20;

/** Browsers cap the height of an element; this is below the cap of all of them. */
export const maxHeight = 8_000_000;

interface Move {
  /** Where the scroll bar stands now, and how far it moved. */
  bar: number;
  moved: number;
  /** The place in the list before. */
  top: number;
  topMax: number;
  barMax: number;
  viewport: number;
}

/** The place in the list after a move of the scroll bar: small moves exactly, large ones by
 * proportion. */
export function placeAfter({ bar, moved, top, topMax, barMax, viewport }: Move): number {
  if (topMax === barMax) return bar;
  if (bar <= 0) return 0;
  if (bar >= barMax - 1) return topMax;
  const target = Math.abs(moved) <= viewport * 2 ? top + moved : (bar / barMax) * topMax;
  return Math.min(topMax, Math.max(0, target));
}

/** Where the scroll bar belongs for a place in the list. */
export const barFor = (top: number, topMax: number, barMax: number): number =>
  topMax === barMax ? top : (top / Math.max(1, topMax)) * barMax;

/** The place that a key asks for; undefined for all other keys. */
export function placeForKey(
  key: string,
  { top, viewport, topMax }: { top: number; viewport: number; topMax: number },
): number | undefined {
  const page = Math.max(rowHeight, viewport - rowHeight);
  const places: Record<string, number> = {
    ArrowDown: top + rowHeight,
    ArrowUp: top - rowHeight,
    PageDown: top + page,
    PageUp: top - page,
    Home: 0,
    End: topMax,
  };
  const place = places[key];
  return place === undefined ? undefined : Math.min(topMax, Math.max(0, place));
}

/** The place in which a row is seen: the same when it is seen already. */
export function placeForRow(
  row: number,
  { top, viewport, topMax }: { top: number; viewport: number; topMax: number },
): number {
  const at = row * rowHeight;
  if (at >= top && at + rowHeight <= top + viewport) return top;
  return Math.min(topMax, Math.max(0, at - viewport / 2));
}
