// The parts of the largest inputs.

import type { Ids, Role } from './measured-server.ts';

export interface LargeInput {
  endpoint: string;
  role: Role;
  what: string;
  /** Null: it depends on how busy the machine is. */
  status: number | null;
  body: (ids: Ids) => unknown;
  /** What of the path differs. */
  params?: Ids;
}

export const list = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

export const lines = (count: number, make: (index: number) => string): string =>
  list(count, make).join('\n');

export const fields = (count: number, value: unknown): object =>
  Object.fromEntries(list(count, (index) => [`k${index}`, value]));

export const megabyte = 1024 * 1024;

/** A survey with so many choices of each of its hundred variables. */
export const survey = (values: number): object[] =>
  list(100, (index) => ({
    name: `v${index}`,
    title: 'Choice',
    type: 'enum',
    values: list(values, (value) => ({ name: `n${value}`, value: `${value}` })),
  }));
