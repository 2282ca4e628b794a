// Returns memory to the system when a process has nothing more to do. V8 does that by itself, in small
// steps, some seconds after a large collection of garbage, but only while it sees few allocations. It may
// see many for as long as an idle process lives, since it judges by the garbage of the work before.

import { performance } from 'node:perf_hooks';
import v8 from 'node:v8';
import { runInNewContext } from 'node:vm';

const lookMs = 5000;
/** The share of the time in which an idle process works at most. */
const idleShare = 0.05;
/** After so many idle times in a row V8 returns memory whatever allocations it sees. */
const savingLooks = 2;
/** After so many a collection is asked for, unless V8 has made the heap smaller meanwhile. */
const idleLooks = 4;

/** Returns memory after each time of work; answers a function that ends this. */
export function releaseMemoryWhenIdle(): () => void {
  const collect = exposeCollect();
  let seen = performance.eventLoopUtilization();
  let idle = 0;
  let heapBytes = 0;
  const look = (): void => {
    const now = performance.eventLoopUtilization();
    const isIdle = performance.eventLoopUtilization(now, seen).utilization < idleShare;
    seen = now;
    if (!isIdle && idle >= savingLooks) saveMemory(false);
    idle = isIdle ? idle + 1 : 0;
    if (idle === savingLooks) {
      heapBytes = sizeOfHeap();
      saveMemory(true);
    }
    if (idle === idleLooks && sizeOfHeap() >= heapBytes) collect();
  };
  const timer = setInterval(look, lookMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    if (idle >= savingLooks) saveMemory(false);
  };
}

/** While this is on, V8 prefers little memory to little work. */
const saveMemory = (isOn: boolean): void =>
  v8.setFlagsFromString(isOn ? '--memory-saver-mode' : '--no-memory-saver-mode');

const sizeOfHeap = (): number => v8.getHeapStatistics().total_heap_size;

/** V8 gives the function `gc` only to contexts that are made while the flag is set. */
export function exposeCollect(): () => void {
  v8.setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  v8.setFlagsFromString('--no-expose-gc');
  return collect;
}
