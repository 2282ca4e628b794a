import type { ReactNode } from 'react';
import classes from './front-page.module.css';

interface Props {
  title: string;
  wide?: boolean;
  below?: ReactNode;
  children: ReactNode;
}

/** A page outside the frame of the console: a centered panel. */
export function FrontPage({ title, wide = false, below, children }: Props) {
  return (
    <main className={`row bg-page ${classes.page}`}>
      <title>{`${title} · Signalbox`}</title>
      <div
        className={`column w-full bg-surface border ${classes.panel}`}
        data-wide={wide || undefined}
      >
        {children}
      </div>
      {below}
    </main>
  );
}
