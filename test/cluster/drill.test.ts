// Only on PostgreSQL: several servers need a database that they can share.
// Before a release: servers are killed under load.
// Short drills of several servers; `npm run drill:cluster` and `npm run drill:workflows` are the long ones.

import { expect, onTestFinished, test } from 'vitest';
import { runClusterDrill } from '../helpers/cluster-drill.ts';
import type { Blow } from '../helpers/drill-servers.ts';
import { freshPostgres } from '../helpers/postgres.ts';
import { runWorkflowDrill } from '../helpers/workflow-drill.ts';

const blows: Blow[] = [
  // The server is away for longer than the time after which it counts as lost, and all programs of
  // its tasks are killed too.
  { after: 1, to: 'runner', isWhole: true, away: 22 },
  { after: 2, to: 'web', isWhole: false, away: 1 },
  { after: 2, to: 'runner', isWhole: false, away: 0 },
];

test('servers that are killed while tasks run lose no task and no line, and double none', async () => {
  const { url, drop } = await freshPostgres();
  onTestFinished(drop);
  const options = { databaseUrl: url, tasks: 40, seconds: 60, blows };
  const { counts, kills, findings } = await runClusterDrill(options);
  expect(findings).toEqual([]);
  expect(counts).toEqual({ lost: 0, stuck: 0, doubled: 0, linesLost: 0, linesDoubled: 0 });
  expect(kills).toBe(blows.length);
}, 300_000);

test('no step of a run of a workflow is lost, doubled or left waiting', async () => {
  const { url, drop } = await freshPostgres();
  onTestFinished(drop);
  // One of the two runners goes on.
  const some = blows.slice(0, 2);
  const options = { databaseUrl: url, runs: 12, seconds: 60, blows: some };
  const { counts, kills, findings } = await runWorkflowDrill(options);
  expect(findings).toEqual([]);
  expect(counts).toEqual({ lost: 0, stuck: 0, doubled: 0 });
  expect(kills).toBe(some.length);
}, 300_000);
