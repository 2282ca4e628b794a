// Only on PostgreSQL: a server on SQLite uses only its own clock.

import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { freshPostgres } from '../../../test/helpers/postgres.ts';
import { createLog } from '../../node/log/log.ts';
import { followClock } from './clock.ts';
import { openDatabase } from './open.ts';

/** A database with a clock that the test can set. */
async function clockedDatabase() {
  const { url, drop } = await freshPostgres();
  const setUp = openDatabase(url);
  const set = async (milliseconds: number) => {
    await sql`create or replace function wrong.clock_timestamp() returns timestamptz language sql
      as ${sql.lit(`select pg_catalog.clock_timestamp() + interval '${milliseconds} milliseconds'`)}`.execute(
      setUp,
    );
  };
  await sql`create schema wrong`.execute(setUp);
  await set(0);
  const path = sql.raw(
    `alter database ${new URL(url).pathname.slice(1)} set search_path = wrong, pg_catalog, public`,
  );
  await sql`${path}`.execute(setUp);
  const db = openDatabase(url);
  onTestFinished(async () => {
    await setUp.destroy();
    await db.destroy();
    await drop();
  });
  return { db, set };
}

const minute = 60_000;

/** The milliseconds by which this clock is ahead of the machine's. */
const ahead = (clock: { now: () => Date }): number => clock.now().getTime() - Date.now();

test('goes by the clock of the database, and never back by a little', async () => {
  const { db, set } = await clockedDatabase();
  await set(5 * minute);
  const clock = await followClock(db, createLog('silent'));
  onTestFinished(() => clock.close());
  expect(Math.abs(ahead(clock) - 5 * minute)).toBeLessThan(1000);
  const before = clock.now().getTime();
  await set(5 * minute - 1000);
  await clock.look();
  expect(clock.now().getTime()).toBeGreaterThanOrEqual(before);
  expect(clock.now().getTime() - before).toBeLessThan(1000);
  await set(-5 * minute);
  await clock.look();
  expect(Math.abs(ahead(clock) + 5 * minute)).toBeLessThan(1000);
});

test('goes on when the database does not answer', async () => {
  const { db, set } = await clockedDatabase();
  await set(5 * minute);
  const clock = await followClock(db, createLog('silent'));
  onTestFinished(() => clock.close());
  await db.destroy();
  await clock.look();
  expect(Math.abs(ahead(clock) - 5 * minute)).toBeLessThan(1000);
});
