// Reads one text of a JSON object in a text column, where the whole would be long.

import { type RawBuilder, sql } from 'kysely';
import type { Db } from './open.ts';
import { isSqlite } from './row.ts';

/** Null: the object has no such field. */
export function jsonField(db: Db, column: string, path: string[]): RawBuilder<string | null> {
  const text = sql.ref(column);
  return isSqlite(db as never)
    ? sql`json_extract(${text}, ${`$.${path.join('.')}`})`
    : sql`cast(${text} as json) #>> cast(${`{${path.join(',')}}`} as text[])`;
}
