// Names the few statements that are sent with every request or every task. PostgreSQL keeps a named
// statement in each connection, and after five executions its plan: planning them takes longer than
// executing them. SQLite keeps all statements (`kept-statements.ts`), and reads a name as a comment.

import { sql, type RawBuilder } from 'kysely';

const mark = '-- prepared: ';

/**
 * Ends a statement (`modifyEnd`) whose text never changes and whose best plan is the same for all its
 * values. It names its columns: while servers are upgraded a newer one may add some, and PostgreSQL
 * refuses a kept statement with a star then.
 */
export const prepared = (name: string): RawBuilder<unknown> => sql.raw(mark + name);

/** The name that ends the text of a statement; undefined for one without a name. */
export function preparedName(text: string): string | undefined {
  const at = text.lastIndexOf(mark);
  return at === -1 ? undefined : text.slice(at + mark.length);
}

/**
 * The list for `in`, as a part of the text. A plan that is kept then suits these values, such as a status
 * that one task in a million has; with parameters it would suit average ones. Only for words of ours.
 */
export const written = <T extends string>(words: readonly T[]): RawBuilder<T> =>
  sql`(${sql.join(words.map((word) => sql.lit(word)))})`;
