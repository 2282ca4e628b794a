// Returns the memory that the start of a process took to the system. V8 would keep it until the first
// large garbage collection, which an idle process never has.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (how: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;

// After this time the start of the process is over.
const startMs = 5000;

/** Releases memory five seconds from now; answers a function that prevents it. */
export function releaseMemorySoon(): () => void {
  const timer = setTimeout(releaseMemory, startMs);
  return () => clearTimeout(timer);
}

/** Collects all garbage and returns free memory to the system. The process stands still for about a tenth of a second. */
function releaseMemory(): void {
  // V8 gives the function `gc` only to contexts that are made while the flag is set.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collect;
  setFlagsFromString('--no-expose-gc');
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
