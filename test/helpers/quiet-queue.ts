// A queue that has nothing for its runner and never calls; tests replace the parts that they are
// about.

import type { RunnerTask } from '#shared/api/runner-desk.ts';
import type { Queue } from '../../src/runner/desk/queue.ts';

async function* nothing(): AsyncGenerator<RunnerTask> {}

export const quietQueue: Queue = {
  start: () => Promise.resolve(),
  close: () => Promise.resolve(),
  take: nothing,
  listLeftBehind: () => Promise.resolve([]),
  listTaken: () => Promise.resolve([]),
  listParked: () => Promise.resolve([]),
  onReady: () => () => undefined,
  onStop: () => () => undefined,
  onChange: () => () => undefined,
  onClear: () => () => undefined,
};
