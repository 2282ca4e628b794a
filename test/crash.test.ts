// The short forms of `npm run drill:crash` and `npm run drill:kill`.
// Only on SQLite: test/cluster has the drill of servers on PostgreSQL.
// Slow: servers are killed and started again, under load.

import { expect, test } from 'vitest';
import { runCrashDrill } from './helpers/crash-drill.ts';
import { runKillDrill } from './helpers/kill-drill.ts';
import { runSeed } from './helpers/random.ts';

test('killing the server again and again loses, doubles and leaves nothing', async () => {
  const { counts, findings, tasks } = await runCrashDrill(6, runSeed);
  expect(findings).toEqual([]);
  expect(counts).toEqual({
    tasksLost: 0,
    tasksStuck: 0,
    tasksRunTwice: 0,
    linesLostOrDoubled: 0,
    orphanProcesses: 0,
    leftoverFolders: 0,
  });
  expect(tasks).toBeGreaterThanOrEqual(10);
});

test('killing supervisors and programs ends their tasks as failed, disturbs no other and leaves nothing', async () => {
  const { counts, findings, supervisors, programs } = await runKillDrill(8, runSeed);
  expect(findings).toEqual([]);
  expect(counts).toEqual({
    tasksStuck: 0,
    tasksRunTwice: 0,
    wrongEnds: 0,
    linesLostOrDoubled: 0,
    orphanProcesses: 0,
    leftoverFolders: 0,
  });
  expect([supervisors, programs]).toEqual([4, 4]);
});
