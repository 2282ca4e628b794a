import type { ReactNode } from 'react';
import classes from './task-facts.module.css';

interface FactProps {
  name: string;
  /** Whether it may take the remaining width. */
  isLong?: boolean;
  children: ReactNode;
}

/** One of the facts about a task beside its log. */
export function Fact({ name, isLong = false, children }: FactProps) {
  return (
    <div className={classes.fact} data-long={isLong || undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
