// Names hot statements. PostgreSQL prepares a named statement per connection and caches its plan after five
// executions. SQLite caches all statements (`kept-statements.ts`), and ignores the name as a comment.

import { sql, type RawBuilder } from 'kysely';

const mark = '-- prepared: ';

/**
 * For `modifyEnd` of a statement of constant text, whose best plan is independent of its values. It must
 * name its columns: PostgreSQL refuses a cached `select *` after a column was added by an upgrade.
 */
export const prepared = (name: string): RawBuilder<unknown> => sql.raw(mark + name);

/** Undefined for an unnamed statement. */
export function preparedName(text: string): string | undefined {
  const at = text.lastIndexOf(mark);
  return at === -1 ? undefined : text.slice(at + mark.length);
}

/** Inlines a list of constants for `in`, so that the cached plan fits these values. */
export const written = <T extends string>(words: readonly T[]): RawBuilder<T> =>
  sql`(${sql.join(words.map((word) => sql.lit(word)))})`;
