// The clock of the database, which all servers share; their own may differ by minutes.

import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Clock } from '../../node/async/clock.ts';
import type { Log } from '../../node/log/log.ts';
import type { Db } from './open.ts';
import { isSqlite } from './row.ts';
import type { Tables } from './tables.ts';

/** SQL for the current time, in the form of all columns for times. */
export function databaseTime(db: Db): RawBuilder<string> {
  return isSqlite(db as never)
    ? sql<string>`strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`
    : sql<string>`to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

// Milliseconds between two readings of the database's clock; how many times it is asked in one
// reading, since the quickest answer is the most exact; the difference that is worth a warning, and
// by how much a reading may be behind the last one so that time stands still instead of going back.
const readPauseMs = 60_000;
const tries = 3;
const notable = 2000;
const slack = 2000;

/** The milliseconds to add to the time of this process to get the time of the database. */
async function measure(db: Db): Promise<number> {
  let best = { took: Infinity, offset: 0 };
  for (let count = 0; count < tries; count += 1) {
    const asked = performance.now();
    const { rows } = await sql<{ time: string }>`select ${databaseTime(db)} as time`.execute(db);
    const answered = performance.now();
    const took = answered - asked;
    const offset = Date.parse(rows[0]?.time ?? '') - (asked + answered) / 2;
    if (took < best.took) best = { took, offset };
  }
  return best.offset;
}

export interface SharedClock extends Clock {
  /** Reads the clock of the database again. */
  look: () => Promise<void>;
  close: () => void;
}

/** A clock that follows the database, also when the clock of this machine is changed. */
export async function followClock(db: Kysely<Tables>, log: Log): Promise<SharedClock> {
  let offset = await measure(db);
  let last = 0;
  let isLooking = false;
  const difference = performance.now() + offset - Date.now();
  if (Math.abs(difference) > notable) {
    const seconds = Math.round(difference / 1000);
    log.warn({ seconds }, 'the clock of this machine differs from that of the database');
  }
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    // Without an answer the last difference stays in use.
    offset = await measure(db).catch(() => offset);
    isLooking = false;
  };
  const timer = setInterval(() => void look(), readPauseMs);
  timer.unref();
  return {
    now() {
      const time = performance.now() + offset;
      last = time < last && last - time < slack ? last : time;
      return new Date(last);
    },
    look,
    close: () => clearInterval(timer),
  };
}
