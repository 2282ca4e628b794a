// Where squares are, and what is drawn in them: all of one result in one path. Pure functions.

import { type MapHost, type MapResult, resultOf } from './map-model.ts';

export const SIZE = 16;
/** From one square to the next. */
export const PITCH = 18;

const MIN_COLUMNS = 6;

/** The columns of a group: about twice as wide as high, within the width of the screen. */
export function columnsFor(count: number, width: number): number {
  const fitting = Math.max(1, Math.floor((width + PITCH - SIZE) / PITCH));
  return Math.min(fitting, Math.max(MIN_COLUMNS, Math.ceil(Math.sqrt(count * 2))));
}

export const positionOf = (index: number, columns: number) => ({
  x: (index % columns) * PITCH,
  y: Math.floor(index / columns) * PITCH,
});

/** The square at a point; null: none. */
export function indexAt(x: number, y: number, columns: number, count: number): number | null {
  const column = Math.floor(x / PITCH);
  const index = Math.floor(y / PITCH) * columns + column;
  return column >= 0 && column < columns && index >= 0 && index < count ? index : null;
}

/** The square to which a key moves; null for another key, and beyond the group. */
export function indexAfter(key: string, index: number, columns: number): number | null {
  if (key === 'ArrowLeft') return index - 1;
  if (key === 'ArrowRight') return index + 1;
  if (key === 'ArrowUp') return index - columns;
  return key === 'ArrowDown' ? index + columns : null;
}

const square = `h${SIZE}v${SIZE}h-${SIZE}z`;

// Each result has a sign, so that its colour is not the only difference; OK is a plain square.
const signs: Partial<Record<MapResult, string>> = {
  failed: 'm4.5 4.5l7 7m0 -7l-7 7',
  unreachable: 'm8 3.5v5.5m0 2.2v1.8',
  rescued: 'm4 8h8m-4 -4v8',
  ignored: 'm4.5 11.5l7 -7',
  changed: 'm8 7v2',
  skipped: 'm5 8h6',
};

export interface MapShape {
  result: MapResult;
  squares: string;
  signs: string;
}

export function shapesOf(hosts: MapHost[], columns: number): MapShape[] {
  const shapes = new Map<MapResult, MapShape>();
  hosts.forEach((host, index) => {
    const result = resultOf(host);
    const shape = shapes.get(result) ?? { result, squares: '', signs: '' };
    const { x, y } = positionOf(index, columns);
    const sign = signs[result];
    shape.squares += `M${x} ${y}${square}`;
    if (sign !== undefined) shape.signs += `M${x} ${y}${sign}`;
    shapes.set(result, shape);
  });
  return [...shapes.values()];
}
