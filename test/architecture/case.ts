import type { Rule } from './source.ts';

export type Files = Record<string, string>;

/** A rule with examples that it refuses. */
export interface Case {
  title: string;
  rule: Rule;
  /** The rule refuses each of these examples. */
  bad: Files[];
  /** The rule refuses none of these. */
  good?: Files;
}
