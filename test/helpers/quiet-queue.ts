// A queue that has nothing for its runner and never calls; tests replace the parts that they are
// about.

import type { RunnerTask } from '#shared/api/runner-api.ts';
import type { TaskQueue } from '../../src/runner/api/task-queue.ts';

async function* nothing(): AsyncGenerator<RunnerTask> {}

export const quietQueue: TaskQueue = {
  start: () => Promise.resolve(),
  close: () => Promise.resolve(),
  receive: nothing,
  listInterrupted: () => Promise.resolve([]),
  listRevoked: () => Promise.resolve([]),
  listParked: () => Promise.resolve([]),
  onReady: () => () => undefined,
  onStop: () => () => undefined,
  onChange: () => () => undefined,
  onClear: () => () => undefined,
};
