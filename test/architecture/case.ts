import type { Rule } from './source.ts';

export type Files = Record<string, string>;

/** A rule with examples of what it refuses. */
export interface Case {
  title: string;
  rule: Rule;
  /** Each example is refused. */
  bad: Files[];
  /** None of these is. */
  good?: Files;
}
