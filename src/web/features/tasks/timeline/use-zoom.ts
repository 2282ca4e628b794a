import { useMemo, useState } from 'react';
import { moved, revealed, type TimeView, zoomed } from './time-view.ts';

export interface Zoom {
  view: TimeView;
  /** The length of the run in milliseconds. */
  length: number;
  isWhole: boolean;
  /** Zooms around a time; without one, around the middle. */
  by: (factor: number, at?: number) => void;
  pan: (by: number) => void;
  reveal: (begin: number) => void;
  showAll: () => void;
}

/** The visible part of a run; the whole run grows while it goes on. */
export function useZoom(length: number): Zoom {
  const [part, setPart] = useState<TimeView | null>(null);
  return useMemo(() => {
    const whole = { from: 0, span: length };
    return {
      view: part ?? whole,
      length,
      isWhole: part === null,
      by: (factor, at) =>
        setPart((before) => {
          const view = before ?? whole;
          return zoomed(view, factor, at ?? view.from + view.span / 2, length);
        }),
      pan: (by) => setPart((before) => before && moved(before, by, length)),
      reveal: (begin) => setPart((before) => before && revealed(before, begin, length)),
      showAll: () => setPart(null),
    };
  }, [part, length]);
}
