// For statements that are sent with every task. PostgreSQL keeps their plan if the best one is the same
// whatever their values are; `kept-plans.ts` cannot tell that of a text with a limit, `min` or `max`.

import { sql, type RawBuilder } from 'kysely';

const mark = '-- same plan';

/** Ends a statement (`modifyEnd`) whose best plan is the same for all its values. */
export const samePlan = sql.raw(mark);

/** Whether the text of a statement says so. */
export const saysSamePlan = (text: string): boolean => text.endsWith(mark);

/**
 * The list for `in`, as a part of the text. A plan that is kept then suits these values, such as a status
 * that one task in a million has; with parameters it would suit average ones. Only for words of ours.
 */
export const written = <T extends string>(words: readonly T[]): RawBuilder<T> =>
  sql`(${sql.join(words.map((word) => sql.lit(word)))})`;
