// Returns memory to the system when a process has nothing more to do. V8 keeps the pages of collected
// garbage for later, and gives them back only after a collection as a last resort, which a process
// that has become idle never has.

import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const lookMs = 5000;
/** The share of the time in which an idle process works at most. */
const idleShare = 0.05;
/** The first leaves less to do for the last, for which the process stands still for a tenth of a second. */
const collections: Collection[] = [{ type: 'major' }, { type: 'major', flavor: 'last-resort' }];

/** What the function `gc` of V8 takes. */
interface Collection {
  type: 'major';
  flavor?: 'last-resort';
}

/** Collects garbage after each time of work; answers a function that ends this. */
export function releaseMemoryWhenIdle(): () => void {
  const collect = exposeCollect();
  let seen = performance.eventLoopUtilization();
  let left = [...collections];
  const look = (): void => {
    const now = performance.eventLoopUtilization();
    const isIdle = performance.eventLoopUtilization(now, seen).utilization < idleShare;
    seen = now;
    if (!isIdle) {
      left = [...collections];
      return;
    }
    const next = left.shift();
    if (next) collect(next);
  };
  const timer = setInterval(look, lookMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** V8 gives the function `gc` only to contexts that are made while the flag is set. */
export function exposeCollect(): (how: Collection) => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (how: Collection) => void;
  setFlagsFromString('--no-expose-gc');
  return collect;
}
