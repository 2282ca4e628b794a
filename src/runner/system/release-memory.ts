// Returns memory to the system when a process has nothing more to do. V8 does so some seconds after a
// large garbage collection, which a process that has become idle may never have.

import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const lookMs = 5000;
/** The share of the time in which an idle process works at most. */
const idleShare = 0.05;
/** After so many collections V8 has returned what the process does not use. */
const collections = 3;

/** Collects garbage after each time of work; answers a function that ends this. */
export function releaseMemoryWhenIdle(): () => void {
  const collect = exposeCollect();
  let seen = performance.eventLoopUtilization();
  let left = collections;
  const look = (): void => {
    const now = performance.eventLoopUtilization();
    const isIdle = performance.eventLoopUtilization(now, seen).utilization < idleShare;
    seen = now;
    if (!isIdle) left = collections;
    else if (left > 0) {
      left -= 1;
      // The process stands still for some hundredths of a second.
      collect();
    }
  };
  const timer = setInterval(look, lookMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** V8 gives the function `gc` only to contexts that are made while the flag is set. */
function exposeCollect(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  return collect;
}
