// What a person, a time limit or the closing server wants of a running task.

import type { Program } from '../supervisor/supervisor.ts';

export type StopReason = 'stopped' | 'timeout' | 'detached';

export class TaskControl {
  reason: StopReason | null = null;
  readonly #abort = new AbortController();
  readonly #detach = new AbortController();
  #program: Program | null = null;
  #force = false;

  /** Fires with the first request; for the short programs before the main one. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Fires when the program is to be left to the next server. */
  get detached(): AbortSignal {
    return this.#detach.signal;
  }

  stop(reason: 'stopped' | 'timeout', force: boolean): void {
    this.reason ??= reason;
    this.#force ||= force;
    this.#abort.abort();
    this.#program?.stop(this.#force);
  }

  /** Leaves the task as it is: the next server goes on with it. */
  detach(): void {
    this.reason ??= 'detached';
    this.#abort.abort();
    this.#detach.abort();
  }

  /** From now on a request reaches this program. */
  attach(program: Program): void {
    this.#program = program;
    if (this.reason && this.reason !== 'detached') program.stop(this.#force);
  }
}
