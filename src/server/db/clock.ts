// The clock of the database, shared by all servers, whose own clocks may differ.

import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Log } from '../../node/log/log.ts';
import type { Db } from './open.ts';
import { isSqlite } from './row.ts';
import type { Tables } from './tables.ts';

/** The current time, in the format of time columns. */
export function databaseTime(db: Db): RawBuilder<string> {
  return isSqlite(db as never)
    ? sql<string>`strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`
    : sql<string>`to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

// The quickest sample is the most exact. A small step back makes time stand still instead.
const SYNC_INTERVAL_MS = 60_000;
const SAMPLES = 3;
const MIN_WARNED_MS = 2000;
const MAX_BACKWARD_MS = 2000;

/** Returns the offset in milliseconds from `performance.now()` to the database time. */
async function measure(db: Db): Promise<number> {
  let best = { took: Infinity, offset: 0 };
  for (let count = 0; count < SAMPLES; count += 1) {
    const asked = performance.now();
    const { rows } = await sql<{ time: string }>`select ${databaseTime(db)} as time`.execute(db);
    const answered = performance.now();
    const took = answered - asked;
    const offset = Date.parse(rows[0]?.time ?? '') - (asked + answered) / 2;
    if (took < best.took) best = { took, offset };
  }
  return best.offset;
}

export type SharedClock = Awaited<ReturnType<typeof followClock>>;

/** Follows the database also when the clock of this machine is changed. */
export async function followClock(db: Kysely<Tables>, log: Log) {
  let offset = await measure(db);
  let last = 0;
  let isLooking = false;
  const difference = performance.now() + offset - Date.now();
  if (Math.abs(difference) > MIN_WARNED_MS) {
    const seconds = Math.round(difference / 1000);
    log.warn({ seconds }, 'the clock of this machine differs from that of the database');
  }
  /** Synchronises again. */
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    // On failure the last offset stays in use.
    offset = await measure(db).catch(() => offset);
    isLooking = false;
  };
  const timer = setInterval(() => void look(), SYNC_INTERVAL_MS);
  timer.unref();
  return {
    now() {
      const time = performance.now() + offset;
      last = time < last && last - time < MAX_BACKWARD_MS ? last : time;
      return new Date(last);
    },
    look,
    close: () => clearInterval(timer),
  };
}
