// The interface by which a runner receives its tasks.

import type { RunnerTask } from '#shared/api/runner-api.ts';

/** A task with the lease that shows that this runner may act for it. */
export type Lease = Pick<RunnerTask, 'id' | 'lease'>;

/** The request to stop a task. */
export interface StopRequest {
  taskId: number;
  /** Whether its programs are killed at once instead of being asked to end. */
  force: boolean;
}

export interface TaskQueue {
  start: () => Promise<void>;
  /** The tasks that were given to this runner, each once. `held` are the ids of those it runs already. */
  receive: (held: number[]) => AsyncIterable<RunnerTask>;
  /** Calls back whenever there may be a new task; returns the function that removes the listener. */
  onReady: (listener: () => void) => () => void;
  /** Which of these tasks were taken away because the server did not hear from this runner for too long. */
  listRevoked: (held: Lease[]) => Promise<number[]>;
  /** The tasks that this runner held when it last ended. */
  listInterrupted: () => Promise<RunnerTask[]>;
  /** The parked tasks whose runs this runner has begun. */
  listParked: () => Promise<number[]>;
  /** Calls back when somebody has asked to stop a task. */
  onStop: (listener: (stop: StopRequest) => void) => () => void;
  /** Calls back when repositories or projects have changed. */
  onChange: (listener: () => void) => () => void;
  /**
   * Calls back with the time of the request when somebody has asked to clear what is kept for later
   * runs; at once if that was before.
   */
  onClear: (listener: (asked: string) => void) => () => void;
  close: () => Promise<void>;
}
