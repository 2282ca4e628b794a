// Asks about processes that the tests have not started themselves.

import { statOf } from '../../src/runner/programs/identity.ts';

/** A process that has ended, but that its parent has not collected, does not run. */
export function isRunning(pid: number): boolean {
  const stat = statOf(pid);
  return stat !== null && stat.state !== 'Z';
}
