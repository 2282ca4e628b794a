// Case-insensitive substring search. The engine lowercases both sides by its own rules.

import { sql, type RawBuilder, type SqlBool } from 'kysely';

// Joined with line feeds, because each call of `lower` is expensive.
const lines = (texts: RawBuilder<unknown>[]): RawBuilder<string> =>
  sql`lower(concat_ws(cast(${'\n'} as text), ${sql.join(texts)}))`;

/** Whether one of the columns or values contains the line. */
export const contains = (
  values: (string | RawBuilder<unknown>)[],
  line: string,
): RawBuilder<SqlBool> =>
  isIn(lines(values.map((value) => (typeof value === 'string' ? sql.ref(value) : value))), line);

// In characters; the column is indexed.
const MAX_SEARCH_TEXT_LENGTH = 600;

/** The content of a search column. */
export const searchable = (texts: (RawBuilder<unknown> | string | null)[]): RawBuilder<string> =>
  sql`substr(${lines(texts.map(toText))}, 1, ${sql.lit(MAX_SEARCH_TEXT_LENGTH)})`;

const toText = (text: RawBuilder<unknown> | string | null): RawBuilder<unknown> =>
  typeof text === 'string' || text === null ? sql`cast(${text} as text)` : text;

/** Whether a search column contains the line. */
export const holds = (column: string, line: string): RawBuilder<SqlBool> =>
  isIn(sql.ref(column), line);

function isIn(text: RawBuilder<unknown>, line: string): RawBuilder<SqlBool> {
  // Escapes wildcards.
  const pattern = `%${line.replace(/[!%_]/g, '!$&')}%`;
  return sql`${text} like lower(cast(${pattern} as text)) escape '!'`;
}
