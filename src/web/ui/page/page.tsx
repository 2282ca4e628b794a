import { type ReactNode, startTransition, Suspense, useEffect, useState } from 'react';
import { arrival } from './arrival.ts';
import classes from './page.module.css';

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
      <header className={classes.header} data-tabs={tabs ? true : undefined}>
        <div className={classes.heading}>
          {above && <div className={classes.above}>{above}</div>}
          <h1 className={classes.title} title={title}>
            {title}
          </h1>
        </div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </header>
      {tabs && <div className={classes.tabs}>{tabs}</div>}
      <div className={classes.content}>{children}</div>
    </div>
  );
}

/**
 * The content of a page that takes long to draw: the frame with the heading is painted before it, and
 * clicks and keys are answered while it is drawn.
 * The content is there at once where the page was scrolled before, since the router returns to that
 * place as soon as the page is there, and in a hidden window, which paints nothing.
 */
export function AfterHeading({ children }: { children: ReactNode }) {
  const [isDue, setDue] = useState(() => !arrival.isNew() || document.hidden);
  useEffect(() => {
    const frame = requestAnimationFrame(() => startTransition(() => setDue(true)));
    return () => cancelAnimationFrame(frame);
  }, []);
  const room = <div className={classes.room} />;
  return isDue ? <Suspense fallback={room}>{children}</Suspense> : room;
}
