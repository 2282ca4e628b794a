import { Suspense, useEffect, useState } from 'react';
import { lazyExport } from '../lazy-export.ts';

const TooltipBox = lazyExport(() => import('./tooltip-box.tsx'), 'TooltipBox');

const timeOf = ({ target }: Event): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('time[data-exact]') : null;

/**
 * Shows the exact time of each `time` with `data-exact` on hover, tap or keyboard focus. One for
 * the page, because a list has hundreds of times.
 */
export function TimeTips() {
  const [target, setTarget] = useState<HTMLElement | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const hide = () => setTarget(null);
    // A tap sends pointerover, and no event ends the hover before the next tap.
    document.addEventListener('pointerover', (event) => setTarget(timeOf(event)), { signal });
    document.addEventListener(
      'focusin',
      (event) => {
        const time = timeOf(event);
        if (time?.matches(':focus-visible')) setTarget(time);
      },
      { signal },
    );
    document.addEventListener('focusout', hide, { signal });
    document.addEventListener('scroll', hide, { signal, capture: true });
    document.addEventListener('keydown', ({ key }) => key === 'Escape' && hide(), { signal });
    return () => stop.abort();
  }, []);
  if (!target?.isConnected) return null;
  return (
    <Suspense>
      <TooltipBox label={target.dataset['exact'] ?? ''} target={target} opened side="top" />
    </Suspense>
  );
}
