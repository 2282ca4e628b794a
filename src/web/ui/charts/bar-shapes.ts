// The bars of a strip as paths of SVG: one for each result, instead of an element for each bar.
// Pure functions; positions are whole pixels, so that edges are sharp.

/** What a run became, as a chart draws it. */
export type BarResult = 'success' | 'error' | 'stopped' | 'running';

export interface BarPart {
  result: BarResult;
  /** A share of 1 is the whole height. */
  share: number;
}

export interface BarShape {
  result: BarResult;
  /** The parts of this result. Their lines, 1 px wide, lie inside the parts. */
  boxes: string;
  /** The upper edges of the parts, for a line of 2 px inside them. */
  tops: string;
}

interface Size {
  width: number;
  height: number;
}

/** The space at each side of a bar, as a share of its column. */
const GAP = 0.1;

/** Each bar is a stack of parts, from the top to the bottom. */
export function shapesOf(bars: BarPart[][], { width, height }: Size): BarShape[] {
  const shapes = new Map<BarResult, BarShape>();
  const column = width / bars.length;
  const barWidth = Math.max(1, Math.round((1 - 2 * GAP) * column));
  bars.forEach((parts, index) => {
    const left = Math.round((index + GAP) * column);
    let bottom = height;
    let share = 0;
    for (const part of parts.toReversed()) {
      share += part.share;
      // One failure among a thousand runs has to be seen.
      const top = Math.min(bottom - 1, Math.round(height * (1 - share)));
      const shape = shapes.get(part.result) ?? { result: part.result, boxes: '', tops: '' };
      shape.boxes += rectangle(left + 0.5, top + 0.5, barWidth - 1, bottom - top - 1);
      shape.tops += `M${left} ${top + 1}h${barWidth}`;
      shapes.set(part.result, shape);
      bottom = top;
    }
  });
  return [...shapes.values()];
}

/** The whole height behind a bar. */
export function columnAt(index: number, count: number, { width, height }: Size): string {
  const left = Math.round((index / count) * width);
  return rectangle(left, 0, Math.round(((index + 1) / count) * width) - left, height);
}

const rectangle = (x: number, y: number, width: number, height: number): string =>
  `M${x} ${y}h${width}v${height}h${-width}z`;

/** The index of the bar at an x coordinate; null: none. */
export function indexAt(x: number, count: number, width: number): number | null {
  const index = Math.floor((x / width) * count);
  return index >= 0 && index < count ? index : null;
}

/** The index of the bar that a key moves to; null for other keys. */
export function indexAfter(key: string, index: number, count: number): number | null {
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  if (key === 'ArrowLeft') return Math.max(index - 1, 0);
  return key === 'ArrowRight' ? Math.min(index + 1, count - 1) : null;
}
