// The short form of `npm run drill:crash`.

import { expect, test } from 'vitest';
import { runCrashDrill } from '../helpers/crash-drill.ts';

test('killing the server again and again loses, doubles and leaves nothing', async () => {
  const { counts, findings, tasks } = await runCrashDrill(6);
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
