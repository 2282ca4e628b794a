// Searches for a text as a part of columns, without regard to case, in the same way on both engines.
// The engine converts both sides to lower case, so that both use its idea of letters.

import { sql, type RawBuilder, type SqlBool } from 'kysely';

// The columns are joined with line feeds into one text, because each call of `lower` costs time.
const lines = (texts: RawBuilder<unknown>[]): RawBuilder<string> =>
  sql`lower(concat_ws(cast(${'\n'} as text), ${sql.join(texts)}))`;

/** A condition: one of the columns contains the text, which is one line. */
export const contains = (columns: string[], line: string): RawBuilder<SqlBool> =>
  isIn(lines(columns.map((column) => sql.ref(column))), line);

// The longest text in characters, because an index contains the column.
const MAX_SEARCH_TEXT_LENGTH = 600;

/** The content of a search column: these texts in lower case. */
export const searchable = (texts: (RawBuilder<unknown> | string | null)[]): RawBuilder<string> =>
  sql`substr(${lines(texts.map(toText))}, 1, ${sql.lit(MAX_SEARCH_TEXT_LENGTH)})`;

const toText = (text: RawBuilder<unknown> | string | null): RawBuilder<unknown> =>
  typeof text === 'string' || text === null ? sql`cast(${text} as text)` : text;

/** A condition: a search column contains the text, which is one line. */
export const holds = (column: string, line: string): RawBuilder<SqlBool> =>
  isIn(sql.ref(column), line);

function isIn(text: RawBuilder<unknown>, line: string): RawBuilder<SqlBool> {
  // The text is escaped, so that it has no wildcards.
  const pattern = `%${line.replace(/[!%_]/g, '!$&')}%`;
  return sql`${text} like lower(cast(${pattern} as text)) escape '!'`;
}
