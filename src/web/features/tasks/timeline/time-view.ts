// The part of the run that is visible, in milliseconds since its start. Pure functions.

export interface TimeView {
  from: number;
  span: number;
}

const MIN_SPAN_MS = 50;
/** A wider element than this many times the chart could not be scrolled precisely. */
const MAX_ZOOM = 5000;

/** The view in an address, such as `zoom=1500-4000`, in milliseconds; null for an invalid one. */
export function parseView(text: string | undefined): TimeView | null {
  const [, first, last] = /^(\d{1,12})-(\d{1,12})$/.exec(text ?? '') ?? [];
  const from = Number(first ?? 0);
  const span = Number(last ?? 0) - from;
  return span >= MIN_SPAN_MS ? { from, span } : null;
}

export const viewText = ({ from, span }: TimeView): string =>
  `${Math.round(from)}-${Math.round(from) + Math.max(MIN_SPAN_MS, Math.round(span))}`;

const clamp = (value: number, min: number, max: number): number =>
  Math.min(Math.max(value, min), Math.max(min, max));

/** Zooms so that the time `at` stays where it is; null: the whole run is visible. */
export function zoomed(
  { from, span }: TimeView,
  factor: number,
  at: number,
  length: number,
): TimeView | null {
  const shortest = Math.max(MIN_SPAN_MS, length / MAX_ZOOM);
  const next = clamp(span / factor, shortest, length);
  if (next >= length) return null;
  return moved({ from: at - ((at - from) / span) * next, span: next }, 0, length);
}

export const moved = ({ from, span }: TimeView, by: number, length: number): TimeView => ({
  from: clamp(from + by, 0, length - span),
  span,
});

/** Moves the view as little as possible, so that the beginning of a bar is visible. */
export function revealed(view: TimeView, begin: number, length: number): TimeView {
  if (begin >= view.from && begin < view.from + view.span) return view;
  return moved(view, begin - view.from - view.span / 10, length);
}
