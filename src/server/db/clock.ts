// The clock of the database, which all servers share; their own may differ by minutes.

import { sql, type RawBuilder } from 'kysely';
import type { Db } from './open.ts';
import { isSqlite } from './row.ts';

/** The time now, as the texts of all columns hold it. */
export function databaseTime(db: Db): RawBuilder<string> {
  return isSqlite(db as never)
    ? sql<string>`strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`
    : sql<string>`to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** Milliseconds by which this machine's clock is behind that of the database. */
export async function clockDifference(db: Db): Promise<number> {
  const before = Date.now();
  const { rows } = await sql<{ time: string }>`select ${databaseTime(db)} as time`.execute(db);
  const middle = (before + Date.now()) / 2;
  return Date.parse(rows[0]?.time ?? '') - middle;
}
