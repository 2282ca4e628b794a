// Gives back the memory that the start of a process took. V8 would keep it until the first large
// collection, and a process that has nothing to do never has one.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (how: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;

// Milliseconds: a start is over by then.
const startTime = 5000;

/** Releases memory five seconds from now; answers what calls that off. */
export function releaseMemorySoon(): () => void {
  const timer = setTimeout(releaseMemory, startTime);
  return () => clearTimeout(timer);
}

/** Collects all garbage and returns free memory to the system. The process stands still for about a tenth of a second. */
function releaseMemory(): void {
  // Node shows the collector only to contexts that are made while the flag is set.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collect;
  setFlagsFromString('--no-expose-gc');
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
