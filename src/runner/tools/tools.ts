// The programs of an execution environment of the kind tools, as a run uses them until its end.

import type { ExecutionSnapshot } from '#shared/api/execution-environments.ts';

export interface Tools {
  /** The folder of the programs. */
  bin: string;
  /** The environment of Python that they belong to; null: they belong to none. */
  environment: string | null;
  /** The entry of the cache that has them; null: a folder of the administrator. */
  cached: string | null;
  /** Distinguishes in the keys of caches what they install. */
  identity: string;
}

/** The start of a line of the log about an execution environment. */
export const titleOf = ({ name }: Pick<ExecutionSnapshot, 'name'>): string =>
  `Execution environment "${name}"`;
