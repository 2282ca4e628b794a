import { type RefObject, useLayoutEffect, useState } from 'react';

/** The inner width or height of an element in pixels; 0 until it is measured. */
function useInnerSize(
  frame: RefObject<HTMLElement | null>,
  side: 'clientWidth' | 'clientHeight',
): number {
  const [size, setSize] = useState(0);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setSize(element[side]));
    observer.observe(element);
    return () => observer.disconnect();
  }, [frame, side]);
  return size;
}

export const useInnerWidth = (frame: RefObject<HTMLElement | null>): number =>
  useInnerSize(frame, 'clientWidth');

export const useInnerHeight = (frame: RefObject<HTMLElement | null>): number =>
  useInnerSize(frame, 'clientHeight');
