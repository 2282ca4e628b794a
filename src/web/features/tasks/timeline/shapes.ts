// The shapes of bars as paths of SVG: a path for each result instead of an element for each bar, so
// that 100,000 bars are a few hundred elements. Pure functions.

import type { ResultState } from '#shared/api/run-results.ts';
import { type Counts, isBad, outcomes } from '../results/outcomes.ts';
import type { Bar } from './result-columns.ts';

export const laneHeight = 28;

/** The height of a bar tells its result as well as its color does. */
const heights: Record<ResultState, number> = {
  skipped: 2,
  ok: 8,
  changed: 12,
  ignored: 12,
  rescued: 12,
  failed: 20,
  unreachable: 20,
};
const MIN_WIDTH = 2;
const MIN_BAD_WIDTH = 4;
/** Bars of one result with a smaller gap are drawn as one. */
const MIN_GAP = 0.5;

export interface Scale {
  /** The time at the left edge, in milliseconds since the epoch. */
  from: number;
  /** Pixels per millisecond. */
  rate: number;
  width: number;
}

export interface Shape {
  state: ResultState;
  path: string;
}

const minWidthOf = (state: ResultState): number =>
  heights[state] === heights.failed ? MIN_BAD_WIDTH : MIN_WIDTH;

/** The left edge and the width of a bar in pixels, cut at the edges of the chart; null: outside. */
export function extentOf(
  { begin, end, state }: Bar,
  { from, rate, width }: Scale,
): { x: number; width: number } | null {
  const left = (begin - from) * rate;
  const right = Math.max((end - from) * rate, left + minWidthOf(state));
  if (right < 0 || left > width) return null;
  // Far edges would exceed the precision of coordinates.
  const x = Math.max(left, -10);
  return { x, width: Math.min(right, width + 10) - x };
}

const rounded = (value: number): number => Math.round(value * 10) / 10;

function rectangle(x: number, width: number, y: number, height: number): string {
  return `M${rounded(x)} ${rounded(y)}h${rounded(width)}v${rounded(height)}h${-rounded(width)}z`;
}

const centered = (state: ResultState): number => (laneHeight - heights[state]) / 2;

/** The bars of a lane in the order of time, one path for each result; the worst is drawn last. */
export function shapesOf(bars: readonly Bar[], scale: Scale): Shape[] {
  const open = new Map<ResultState, { x: number; right: number }>();
  const paths = new Map<ResultState, string>();
  const close = (state: ResultState) => {
    const span = open.get(state);
    if (!span) return;
    const { x, right } = span;
    const path = rectangle(x, right - x, centered(state), heights[state]);
    paths.set(state, (paths.get(state) ?? '') + path);
    open.delete(state);
  };
  for (const bar of bars) {
    const extent = extentOf(bar, scale);
    if (!extent) continue;
    const before = open.get(bar.state);
    const right = extent.x + extent.width;
    if (before && extent.x - before.right < MIN_GAP) {
      before.right = Math.max(before.right, right);
      continue;
    }
    close(bar.state);
    open.set(bar.state, { x: extent.x, right });
  }
  for (const state of outcomes) close(state);
  return outcomes.toReversed().flatMap((state) => {
    const path = paths.get(state);
    return path === undefined ? [] : [{ state, path }];
  });
}

const STACK_HEIGHT = 18;
/** A single failure of a thousand hosts has to be seen. */
const MIN_BAD_SHARE = 4;

/** A bar of a task: its height is divided by the results of its hosts, failures at the bottom. */
export function stackOf(bar: Bar, counts: Counts, scale: Scale): Shape[] {
  const extent = extentOf(bar, scale);
  const states = outcomes.filter((state) => counts[state] > 0);
  if (!extent) return [];
  if (states.length === 0) return shapesOf([bar], scale);
  const total = states.reduce((sum, state) => sum + counts[state], 0);
  const shares = states.map((state) =>
    Math.max((counts[state] / total) * STACK_HEIGHT, isBad(state) ? MIN_BAD_SHARE : 0),
  );
  const factor = STACK_HEIGHT / shares.reduce((sum, share) => sum + share, 0);
  let bottom = (laneHeight + STACK_HEIGHT) / 2;
  return states.map((state, index) => {
    const height = (shares[index] ?? 0) * factor;
    bottom -= height;
    return { state, path: rectangle(extent.x, extent.width, bottom, height) };
  });
}

/** The last bar at an x coordinate, or the closest one within a few pixels; -1: none. */
export function barAt(bars: readonly Bar[], x: number, scale: Scale, tolerance = 6): number {
  let [found, distance] = [-1, tolerance];
  for (const [index, bar] of bars.entries()) {
    const extent = extentOf(bar, scale);
    if (!extent) continue;
    const away = Math.max(extent.x - x, x - extent.x - extent.width, 0);
    if (away <= distance) [found, distance] = [index, away];
  }
  return found;
}
