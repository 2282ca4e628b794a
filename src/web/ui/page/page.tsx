import { type ReactNode, startTransition, Suspense, useEffect, useState } from 'react';
import { arrival } from './arrival.ts';
import classes from './page.module.css';
import tabClasses from './tabs.module.css';

interface Props {
  title: string;
  /** Links to the pages above. */
  above?: ReactNode;
  actions?: ReactNode;
  tabs?: ReactNode;
  children: ReactNode;
}

export function Page({ title, above, actions, tabs, children }: Props) {
  return (
    <div className={classes.page}>
      <title>{`${title} · Signalbox`}</title>
      <header
        className={`row wrap between page-gutter gap-8-16 ${classes.header}`}
        data-tabs={tabs ? true : undefined}
      >
        <div className={`min-w-0 ${classes.heading}`}>
          {above && (
            <div className="small" style={{ marginBottom: 2 }}>
              {above}
            </div>
          )}
          <h1
            className="weight-650 overflow-hidden"
            style={{
              fontSize: 20,
              letterSpacing: '-0.01em',
              lineHeight: 1.3,
              textOverflow: 'ellipsis',
            }}
            title={title}
          >
            {title}
          </h1>
        </div>
        {actions && <div className="row wrap gap-8">{actions}</div>}
      </header>
      {tabs && (
        <div ref={showCurrentTab} className={tabClasses.tabs}>
          {tabs}
        </div>
      )}
      <div className="page-gutter">{children}</div>
    </div>
  );
}

/** Scrolls the tabs of a narrow screen sideways until the current one is visible. */
function showCurrentTab(bar: HTMLElement | null): void {
  const tab = bar?.querySelector('[aria-current]');
  if (!bar || !tab || bar.scrollWidth <= bar.clientWidth) return;
  const hidden = tab.getBoundingClientRect().right - bar.getBoundingClientRect().right;
  if (hidden > 0) bar.scrollLeft += hidden + tab.clientWidth / 4;
}

/**
 * Content that is slow to render: the frame with the heading is painted before it, and input is
 * handled meanwhile. It renders at once where a scroll position is restored, because the router
 * does so at the first render, and in a hidden window, which paints nothing.
 */
export function AfterHeading({ children }: { children: ReactNode }) {
  const [isDue, setDue] = useState(() => !arrival.isNew() || document.hidden);
  useEffect(() => {
    const frame = requestAnimationFrame(() => startTransition(() => setDue(true)));
    return () => cancelAnimationFrame(frame);
  }, []);
  // As high as the window, so that the scroll bar of the previous page does not disappear for a
  // moment.
  const room = <div style={{ minHeight: '100vh' }} />;
  return isDue ? <Suspense fallback={room}>{children}</Suspense> : room;
}
