import type { ReactNode } from 'react';
import classes from './chip.module.css';

export type Tone = 'neutral' | 'running' | 'success' | 'danger' | 'warning';

/** An icon and a word, so that the colour is not the only difference. */
export function Chip({ tone, icon, children }: { tone: Tone; icon?: ReactNode; children: string }) {
  return (
    <span
      className={`inline-flex items-center max-w-full smaller weight-550 nowrap tone-${tone} ${classes.chip}`}
      data-tone={tone}
    >
      {icon}
      <span className="cut">{children}</span>
    </span>
  );
}

export function Spinner() {
  return <span className={classes.spinner} aria-hidden="true" />;
}
