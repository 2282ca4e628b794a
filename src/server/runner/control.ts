// What a person or the closing server wants of a running task.

import type { ProcessHandle } from './process.ts';

export type StopReason = 'stopped' | 'shutdown';

export class TaskControl {
  reason: StopReason | null = null;
  readonly #abort = new AbortController();
  #process: ProcessHandle | null = null;
  #force = false;

  /** Fires with the first request; for the short programs before the main one. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  stop(reason: StopReason, force: boolean): void {
    this.reason ??= reason;
    this.#force ||= force;
    this.#abort.abort();
    this.#process?.stop(this.#force);
  }

  /** From now on a request reaches this process. */
  attach(process: ProcessHandle): void {
    this.#process = process;
    if (this.reason) process.stop(this.#force);
  }
}
