import type { ReactNode } from 'react';
import classes from './task-facts.module.css';

interface FactProps {
  name: string;
  isLong?: boolean;
  children: ReactNode;
}

export function Fact({ name, isLong = false, children }: FactProps) {
  return (
    <div
      className={`flex gap-6 min-w-0 max-w-full ${classes.fact}`}
      data-long={isLong || undefined}
    >
      <dt className="flex-none soft">{name}</dt>
      <dd className="cut">{children}</dd>
    </div>
  );
}
