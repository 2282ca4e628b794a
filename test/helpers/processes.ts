// Asks about processes that the tests have not started themselves.

import { statOf } from '../../src/runner/programs/identity.ts';

/** A process that has ended, but that its parent has not collected, does not run. */
export async function isRunning(pid: number): Promise<boolean> {
  const stat = await statOf(pid);
  return stat !== null && stat.state !== 'Z';
}
