import { Suspense, useEffect, useState } from 'react';
import { lazyExport } from '../lazy-export.ts';

const TooltipBox = lazyExport(() => import('./tooltip-box.tsx'), 'TooltipBox');

/** A `time` has its exact time; an icon of the rail has its name. */
const withTip = 'time[data-exact], [data-rail] > aside [data-tip]';

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
  return (
    <Suspense>
      <TooltipBox
        label={target.dataset['exact'] ?? target.dataset['tip'] ?? ''}
        target={target}
        opened
        side={target.dataset['tip'] ? 'right' : 'top'}
      />
    </Suspense>
  );
}
