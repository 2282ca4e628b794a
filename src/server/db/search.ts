// Looking for a text in columns, the same on both engines.

import { sql, type RawBuilder, type SqlBool } from 'kysely';

/** Whether one of the columns contains the line, whatever the case of its letters. */
export function contains(columns: string[], line: string): RawBuilder<SqlBool> {
  // Nothing in it is a wildcard.
  const pattern = `%${line.replace(/[!%_]/g, '!$&')}%`;
  const texts = sql.join(columns.map((column) => sql.ref(column)));
  // All columns at once, as lines, since each call costs. The engine changes the case of both
  // sides, so that they agree on what a letter is.
  const all = sql`lower(concat_ws(cast(${'\n'} as text), ${texts}))`;
  return sql`${all} like lower(cast(${pattern} as text)) escape '!'`;
}
