import type { ReactNode } from 'react';
import classes from './row-actions.module.css';

/** The buttons at the end of a row. */
export function RowActions({ children }: { children: ReactNode }) {
  return <div className={classes.actions}>{children}</div>;
}
