// The limits of a grant as the values of its form.

import type { ReactNode } from 'react';
import type { GrantedType } from '#shared/grants/granted-types.ts';
import { type GrantLimits, limitsOf, noLimits } from '#shared/grants/limits.ts';
import { readerZone } from '../../lib/reader-zone.ts';

export interface LimitValues extends Omit<GrantLimits, 'answers'> {
  answers: { name: string; values: string[] }[];
}

/** The choice of a time zone, which another feature owns. */
export type ZoneRenderer = (input: {
  value: string;
  onChange: (zone: string) => void;
  error?: ReactNode;
}) => ReactNode;

export const newHours = (): NonNullable<GrantLimits['hours']> => ({
  days: [1, 2, 3, 4, 5],
  from: '08:00',
  to: '18:00',
  time_zone: readerZone(),
});

export const limitValues = ({ answers, ...limits }: GrantLimits): LimitValues => ({
  ...limits,
  answers: Object.entries(answers).map(([name, values]) => ({ name, values })),
});

/** Without those that a grant on such an object cannot have. */
export function limitsBody({ answers, ...limits }: LimitValues, type: GrantedType): GrantLimits {
  const kept = limitsOf(type);
  if (kept === 'none') return noLimits;
  if (kept === 'hosts') return { ...noLimits, hosts: limits.hosts };
  return {
    ...limits,
    answers: Object.fromEntries(answers.map(({ name, values }) => [name.trim(), values])),
  };
}
