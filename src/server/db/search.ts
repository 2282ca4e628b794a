// Looking for a text in columns, the same on both engines: as a part of one of them, whatever the
// case of its letters. The engine changes the case of both sides, so that they agree on what a
// letter is.

import { sql, type RawBuilder, type SqlBool } from 'kysely';

// All texts at once, as lines, since each call costs.
const lines = (texts: RawBuilder<unknown>[]): RawBuilder<string> =>
  sql`lower(concat_ws(cast(${'\n'} as text), ${sql.join(texts)}))`;

/** Whether one of the columns contains the line. */
export const contains = (columns: string[], line: string): RawBuilder<SqlBool> =>
  isIn(lines(columns.map((column) => sql.ref(column))), line);

// An index holds it, and has no room for more than this.
const longest = 600;

/** What a column for searching holds: these texts, ready to be compared. */
export const searchable = (texts: (RawBuilder<unknown> | string | null)[]): RawBuilder<string> =>
  sql`substr(${lines(texts.map(toText))}, 1, ${sql.lit(longest)})`;

const toText = (text: RawBuilder<unknown> | string | null): RawBuilder<unknown> =>
  typeof text === 'string' || text === null ? sql`cast(${text} as text)` : text;

/** Whether a column for searching holds the line. */
export const holds = (column: string, line: string): RawBuilder<SqlBool> =>
  isIn(sql.ref(column), line);

function isIn(text: RawBuilder<unknown>, line: string): RawBuilder<SqlBool> {
  // Nothing in it is a wildcard.
  const pattern = `%${line.replace(/[!%_]/g, '!$&')}%`;
  return sql`${text} like lower(cast(${pattern} as text)) escape '!'`;
}
