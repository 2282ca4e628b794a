// The short form of `npm run drill:terraform`: each moment once with each program.

import { expect, test } from 'vitest';
import { runSeed } from '../helpers/random.ts';
import { moments, runDrill } from './drill.ts';
import { buildToolchains } from './programs.ts';

test('every object that exists is in the state, whatever happens during an apply', async () => {
  const { counts, findings } = await runDrill(buildToolchains(), 2 * moments.length, runSeed);
  expect({ ...counts, findings }).toEqual({
    objectsWithoutState: 0,
    falseSuccesses: 0,
    appliesThatFailedAfterwards: 0,
    tasksStuck: 0,
    findings: [],
  });
});
