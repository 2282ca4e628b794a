import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { moved, parseView, revealed, type TimeView, viewText, zoomed } from './time-view.ts';

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

/** The visible part of a run, which the address contains; the whole run grows while it goes on. */
export function useZoom(length: number): Zoom {
  const [chosen, setPart] = useAddressPart();
  return useMemo(() => {
    const whole = { from: 0, span: length };
    // An address may have a part of a longer run.
    const fit = (given: TimeView | null) =>
      given && given.span < length ? moved(given, 0, length) : null;
    const part = fit(chosen);
    return {
      view: part ?? whole,
      length,
      isWhole: part === null,
      by: (factor, at) =>
        setPart((before) => {
          const view = fit(before) ?? whole;
          return zoomed(view, factor, at ?? view.from + view.span / 2, length);
        }),
      pan: (by) => setPart((before) => before && moved(before, by, length)),
      reveal: (begin) =>
        setPart((before) => {
          const view = fit(before);
          return view && revealed(view, begin, length);
        }),
      showAll: () => setPart(null),
    };
  }, [chosen, setPart, length]);
}

const ADDRESS_DELAY_MS = 200;

/** A state that follows the address, and that the address follows after the last change. */
function useAddressPart() {
  const { zoom: text } = useSearch({ strict: false });
  const navigate = useNavigate();
  const [part, setPart] = useState(() => parseView(text));
  const known = useRef(text);
  useEffect(() => {
    if (text === known.current) return;
    known.current = text;
    setPart(parseView(text));
  }, [text]);
  useEffect(() => {
    const zoom = part ? viewText(part) : undefined;
    if (zoom === known.current) return undefined;
    const timer = setTimeout(() => {
      known.current = zoom;
      void navigate({
        to: '.',
        search: (before: object) => ({ ...before, zoom }),
        replace: true,
        resetScroll: false,
      });
    }, ADDRESS_DELAY_MS);
    return () => clearTimeout(timer);
  }, [part, navigate]);
  return [part, setPart] as const;
}
