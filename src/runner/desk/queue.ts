// What a runner is to run.

import type { RunnerTask } from '#shared/api/runner-desk.ts';

/** A task, and what shows that it is ours. */
export type Lease = Pick<RunnerTask, 'id' | 'lease'>;

/** Somebody wants a task to stop. */
export interface Stop {
  taskId: number;
  /** At once, without asking its programs to end. */
  force: boolean;
}

export interface Queue {
  start: () => Promise<void>;
  /** The tasks that have been given to this runner, each handed over once. `held`: those it runs. */
  take: (held: number[]) => AsyncIterable<RunnerTask>;
  /** Calls back whenever it is worth looking; answers the function that ends this. */
  onReady: (listener: () => void) => () => void;
  /** Those that were taken from this runner, which did not answer for too long. */
  listTaken: (held: Lease[]) => Promise<number[]>;
  /** What this runner had in its hands when it ended. */
  listLeftBehind: () => Promise<RunnerTask[]>;
  /** The tasks that wait in the middle of a run that this runner has begun. */
  listParked: () => Promise<number[]>;
  /** Calls back when somebody wants a task to stop. */
  onStop: (listener: (stop: Stop) => void) => () => void;
  /** Calls back when repositories or projects have changed. */
  onChange: (listener: () => void) => () => void;
  close: () => Promise<void>;
}
