// Only on SQLite: each drill makes the database that it needs.
// Slow: the database of servers fails again and again, under load.
// The short forms of `npm run drill:database`.

import { expect, onTestFinished, test } from 'vitest';
import { drillPostgres, drillSqlite } from './helpers/database-drills.ts';
import { freshPostgres } from './helpers/postgres.ts';
import { runSeed } from './helpers/random.ts';

const nothing = { killed: 0, lost: 0, stuck: 0, doubled: 0, linesWrong: 0 };
const tell = (): void => undefined;

test('a PostgreSQL that fails again and again kills, loses and doubles nothing', async () => {
  const { url, drop } = await freshPostgres();
  onTestFinished(drop);
  const most = { tasks: 20, runs: 5, faults: 30 };
  const { counts, findings, faults } = await drillPostgres(url, { seed: runSeed, most, tell });
  expect(findings).toEqual([]);
  expect(counts).toEqual(nothing);
  expect([...faults.values()].reduce((sum, one) => sum + one, 0)).toBeGreaterThanOrEqual(30);
}, 600_000);

test('a SQLite that is busy again and again kills, loses and doubles nothing', async () => {
  const most = { tasks: 20, runs: 5, faults: 6 };
  const { counts, findings } = await drillSqlite({ seed: runSeed, most, tell }, true);
  expect(findings).toEqual([]);
  expect(counts).toEqual(nothing);
}, 600_000);
