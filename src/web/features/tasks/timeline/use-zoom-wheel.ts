import { type RefObject, useEffect, useRef } from 'react';
import type { Zoom } from './use-zoom.ts';

type Element = RefObject<HTMLElement | null>;

/** Ctrl and wheel zooms around the pointer; Shift and wheel, or a sideways wheel, moves. */
export function useZoomWheel(box: Element, axis: Element, zoom: Zoom): void {
  const latest = useRef(zoom);
  useEffect(() => {
    latest.current = zoom;
  }, [zoom]);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const onWheel = (event: WheelEvent) => {
      const { view, by, pan, isWhole } = latest.current;
      const edges = axis.current?.getBoundingClientRect();
      if (!edges || edges.width === 0) return;
      const perPixel = view.span / edges.width;
      const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
      if (event.ctrlKey || event.metaKey) {
        by(Math.exp(-event.deltaY / 300), view.from + (event.clientX - edges.left) * perPixel);
      } else if (isSideways && !isWhole) {
        pan((event.deltaX || event.deltaY) * perPixel);
      } else return;
      event.preventDefault();
    };
    // React's own listener is passive, so the browser would zoom the page.
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [box, axis]);
}
