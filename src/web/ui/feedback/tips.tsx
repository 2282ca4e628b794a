import { Suspense, useEffect, useState } from 'react';
import { lazyExport } from '../lazy-export.ts';

const TooltipBox = lazyExport(() => import('./tooltip-box.tsx'), 'TooltipBox');

/** A `time` has its exact time, an icon of the rail its name, and a bar of a chart its numbers. */
const withTip = 'time[data-exact], [data-tip], [data-rail] > aside [data-rail-tip]';

const tipOf = ({ target }: Event): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>(withTip) : null;

/**
 * Shows exact times and the names of icons on hover, tap or keyboard focus. One for the page,
 * because a list has hundreds of times.
 */
export function Tips() {
  const [target, setTarget] = useState<HTMLElement | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const hide = () => setTarget(null);
    // A tap sends pointerover, and no event ends the hover before the next tap.
    document.addEventListener('pointerover', (event) => setTarget(tipOf(event)), { signal });
    document.addEventListener(
      'focusin',
      (event) => {
        const found = tipOf(event);
        if (found?.matches(':focus-visible')) setTarget(found);
      },
      { signal },
    );
    document.addEventListener('focusout', hide, { signal });
    document.addEventListener('scroll', hide, { signal, capture: true });
    document.addEventListener('keydown', ({ key }) => key === 'Escape' && hide(), { signal });
    return () => stop.abort();
  }, []);
  if (!target?.isConnected) return null;
  const { exact, tip, railTip } = target.dataset;
  return (
    <Suspense>
      <TooltipBox
        label={exact ?? tip ?? railTip ?? ''}
        target={target}
        opened
        side={railTip ? 'right' : 'top'}
      />
    </Suspense>
  );
}
