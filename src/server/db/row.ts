// Value conversions of both engines, and names in their statements.

import { type Kysely, type RawBuilder, sql, SqliteAdapter } from 'kysely';

export const toFlag = (value: boolean): 0 | 1 => (value ? 1 : 0);
export const fromFlag = (value: number): boolean => value === 1;

export function isSqlite(db: Kysely<never>): boolean {
  return db.getExecutor().adapter instanceof SqliteAdapter;
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** One text of a JSON object in a text column, where the whole would be long. Null: the object has no such field. */
export function jsonField(
  db: Kysely<never>,
  column: string,
  path: string[],
): RawBuilder<string | null> {
  const text = sql.ref(column);
  return isSqlite(db)
    ? sql`json_extract(${text}, ${`$.${path.join('.')}`})`
    : sql`cast(${text} as json) #>> cast(${`{${path.join(',')}}`} as text[])`;
}
