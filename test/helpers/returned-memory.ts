// A process that makes garbage and then does nothing. It ends when it has returned the memory of the
// garbage to the system, and fails if it does not. It is a process of its own: V8 returns nothing where
// garbage fits into memory that earlier work has left.

import { memoryUsage } from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { releaseMemoryWhenIdle } from '../../src/runner/system/release-memory.ts';

const megabytes = (): number => memoryUsage.rss() / 1e6;

/** Makes and drops objects that live long enough to leave the young generation. */
function makeGarbage(): void {
  const row = (index: number): object => ({ index, text: `row ${index}` });
  const kept = Array.from({ length: 60 }, () => Array.from({ length: 20_000 }, (_, i) => row(i)));
  if (kept.length !== 60) throw new Error('The garbage was not made.');
}

const longestReturnMs = 90_000;

releaseMemoryWhenIdle();
const before = megabytes();
makeGarbage();
const full = megabytes();
if (full - before < 60) throw new Error(`The garbage takes ${full - before} MB only.`);
const end = performance.now() + longestReturnMs;
while (full - megabytes() < 60) {
  if (performance.now() > end) throw new Error(`${full - megabytes()} MB were returned only.`);
  await delay(500);
}
