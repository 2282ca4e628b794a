// Only on SQLite: test/cluster has the drill of several servers on PostgreSQL.
// Slow: servers are killed again and again while runs of workflows go on.
// The short form of `npm run drill:workflows`.

import { expect, test } from 'vitest';
import { ofOne, randomBlows } from './helpers/drill-servers.ts';
import { randomNumber, runSeed } from './helpers/random.ts';
import { runWorkflowDrill } from './helpers/workflow-drill.ts';

test('no step of a run is lost, doubled or left waiting through kills of the server', async () => {
  const blows = randomBlows(randomNumber(runSeed), ['all'], ofOne).take(4);
  const options = { databaseUrl: null, runs: 20, seconds: 60, blows };
  const { counts, findings, runs, kills } = await runWorkflowDrill(options);
  expect(findings).toEqual([]);
  expect(counts).toEqual({ lost: 0, stuck: 0, doubled: 0 });
  expect(runs).toBeGreaterThanOrEqual(20);
  expect(kills).toBeGreaterThan(0);
}, 600_000);
