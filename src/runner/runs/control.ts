// Forwards stop requests, of users, the time limit or the runner's shutdown, to a running task.

import type { Program } from '../supervisor/supervisor.ts';

/** `pod`: the cluster ends the pod in which the task runs. */
export type StopReason = 'stopped' | 'timeout' | 'pod' | 'detached';

export class TaskControl {
  reason: StopReason | null = null;
  readonly #abort = new AbortController();
  readonly #detach = new AbortController();
  #program: Program | null = null;
  #force = false;

  /** Fires at the first request, and kills the short programs that prepare a run. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Fires when the run is left to the next runner. */
  get detached(): AbortSignal {
    return this.#detach.signal;
  }

  /** Whether programs are killed at once. */
  get isForced(): boolean {
    return this.#force;
  }

  stop(reason: Exclude<StopReason, 'detached'>, force: boolean): void {
    this.reason ??= reason;
    this.#force ||= force;
    this.#abort.abort();
    this.#program?.stop(this.#force);
  }

  /** Leaves the task to the next runner. */
  detach(): void {
    this.reason ??= 'detached';
    this.#abort.abort();
    this.#detach.abort();
  }

  /** Forwards earlier and later requests to this program. */
  attach(program: Program): void {
    this.#program = program;
    if (this.reason && this.reason !== 'detached') program.stop(this.#force);
  }
}
