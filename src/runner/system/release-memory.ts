// Returns memory to the system when a process has nothing more to do. V8 returns it some seconds after
// each large collection of garbage, and a process that has become idle may have none for a long time.

import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const lookMs = 5000;
/** The share of the time in which an idle process works at most. */
const idleShare = 0.05;
/**
 * So many idle times in a row precede the collection. V8 returns memory eight seconds after its own
 * last one, and ours is short on the small heap that this leaves.
 */
const idleLooks = 4;

/** Collects garbage after each time of work; answers a function that ends this. */
export function releaseMemoryWhenIdle(): () => void {
  const collect = exposeCollect();
  let seen = performance.eventLoopUtilization();
  let idle = 0;
  const look = (): void => {
    const now = performance.eventLoopUtilization();
    const isIdle = performance.eventLoopUtilization(now, seen).utilization < idleShare;
    seen = now;
    idle = isIdle ? idle + 1 : 0;
    if (idle === idleLooks) collect();
  };
  const timer = setInterval(look, lookMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** V8 gives the function `gc` only to contexts that are made while the flag is set. */
export function exposeCollect(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  return collect;
}
