import type { ReactNode } from 'react';
import { Skeleton } from '../feedback/skeleton.tsx';
import classes from './facts.module.css';

interface FactsProps {
  isLoading?: boolean;
  children: ReactNode;
}

export function Facts({ isLoading = false, children }: FactsProps) {
  return (
    <dl
      className={`grid bg-sunken border rounded-8 ${classes.facts}`}
      aria-busy={isLoading || undefined}
    >
      {children}
    </dl>
  );
}

interface FactProps {
  name: string;
  wide?: boolean;
  /** Undefined while the resource is loaded. */
  children?: ReactNode;
}

export function Fact({ name, wide = false, children = <Skeleton width={110} /> }: FactProps) {
  return (
    <div className={wide ? 'full-row' : ''}>
      <dt className="smaller soft">{name}</dt>
      <dd className="break">{children}</dd>
    </div>
  );
}
