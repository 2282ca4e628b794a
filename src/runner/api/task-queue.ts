// The interface by which a runner receives its tasks.

import type { RunnerTask } from '#shared/api/runner-api.ts';

/** A task with the lease by which this runner may act for it. */
export type Lease = Pick<RunnerTask, 'id' | 'lease'>;

export interface StopRequest {
  taskId: number;
  /** Whether its programs are killed at once instead of being terminated first. */
  force: boolean;
}

export interface TaskQueue {
  start: () => Promise<void>;
  /** The tasks assigned to this runner, each once. `held`: ids of those that it runs already. */
  receive: (held: number[]) => AsyncIterable<RunnerTask>;
  /** Calls back whenever there may be a new task; returns the function that removes the listener. */
  onReady: (listener: () => void) => () => void;
  /** Those of the tasks whose leases the server has revoked, because heartbeats were missing for too long. */
  listRevoked: (held: Lease[]) => Promise<number[]>;
  /** The tasks that this runner held when its process last ended. */
  listInterrupted: () => Promise<RunnerTask[]>;
  /** The parked tasks whose workspaces are on this runner. */
  listParked: () => Promise<number[]>;
  onStop: (listener: (stop: StopRequest) => void) => () => void;
  onChange: (listener: () => void) => () => void;
  /** Calls back with the time of the latest request to clear the caches; at once if there was one before. */
  onClear: (listener: (asked: string) => void) => () => void;
  close: () => Promise<void>;
}
