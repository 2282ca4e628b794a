// Says when the lines of a log are stored: one batch after the other, so that lines are stored in the
// order of their numbers. A line that comes after a rest is sent at once. After a batch the log rests for
// as long as storing it took, and the lines of that time are one batch: people see a line within
// milliseconds, and programs that print a lot leave time for everything else. A log begins with a rest, so
// that the words before the first step come with it. No other part between the program and the server
// collects lines or waits.

import { isServerUnavailable, LogLinesLostError } from '../api/server-unavailable.ts';
import type { RunnerConfig } from '../config/runner-config.ts';
import { Semaphore } from '../../node/async/semaphore.ts';
import { stateOf } from '../../node/async/state-of.ts';

const MAX_PAUSE_MS = 100;
/** As many bytes are stored without a rest. */
const batchBytes = 512 * 1024;
/** With more than this, `room` waits until earlier lines are stored. */
const MAX_BYTES_WAITING = 1024 * 1024;
/** A batch with so many bytes is large. */
const largeBytes = 64 * 1024;
/**
 * The large batches of all logs that are stored at once. The server needs several times their size in
 * memory for each, and would read more of them no sooner.
 */
const largeBatchesOf = stateOf((_config: RunnerConfig) => new Semaphore(2));

/** The rests after the server could not store: the first one, each twice as long as the one before, and the longest. */
const firstRetryMs = 500;
const MAX_RETRY_MS = 5_000;

export interface WrittenLog {
  config: RunnerConfig;
  /** The size of the lines that wait. */
  waitingBytes: () => number;
  /** Stores all lines that wait; those that the server could not store now wait again. */
  write: () => Promise<void>;
}

export class LogWriter {
  readonly #log: WrittenLog;
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> | null = null;
  /** Why nothing can be written any more; null: it can. */
  #failure: unknown = null;
  /** Why the last batch could not be written; null: it was. It is written again. */
  #away: unknown = null;
  #retryMs = firstRetryMs;
  #restedAt = performance.now() + MAX_PAUSE_MS;

  constructor(log: WrittenLog) {
    this.#log = log;
  }

  /** Writes what waits, as soon as the rest is over or enough waits. */
  begin(): void {
    const waiting = this.#log.waitingBytes();
    if (this.#writing || this.#failure !== null || waiting === 0) return;
    const restMs = this.#restedAt - performance.now();
    if (restMs <= 0 || (waiting >= batchBytes && this.#away === null)) void this.#writeNow();
    else this.#timer ??= setTimeout(() => void this.#writeNow(), restMs);
  }

  /** Settles when more may be added. */
  async room(): Promise<void> {
    while (this.#log.waitingBytes() >= MAX_BYTES_WAITING) {
      await this.#writing;
      this.#checkNow();
    }
  }

  /** Settles when all is written. */
  async all(): Promise<void> {
    await this.#writeUntil(0);
  }

  /** Writes nothing more: the next runner does. */
  giveUp(cause: unknown): void {
    this.#failure ??= cause;
    this.#clear();
  }

  async #writeUntil(most: number): Promise<void> {
    while (!this.#isDone(most)) {
      await this.#writeNow();
      this.#checkNow();
    }
    this.check();
  }

  /** Has the call write what waits, after earlier batches and after what is too much for it. */
  async writeWith<T>(call: () => Promise<T>): Promise<T> {
    // Nothing is awaited where nothing waits, so that the call gets what was said until now.
    if (!this.#isDone(largeBytes)) await this.#writeUntil(largeBytes);
    this.check();
    this.#clear();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#writing = promise;
    let isWritten = false;
    try {
      const result = await call();
      isWritten = true;
      this.#restedAt = performance.now();
      return result;
    } finally {
      this.#writing = null;
      resolve();
      // What was not written waits until more is, as the log may be given up.
      if (isWritten) this.begin();
    }
  }

  /** Throws if something could not be written. */
  check(): void {
    if (this.#failure === null) return;
    throw new Error('The log of the task cannot be stored', { cause: this.#failure });
  }

  /** Throws also if something could not be written now: whoever calls this does not wait for a server. */
  #checkNow(): void {
    if (this.#away !== null) this.giveUp(this.#away);
    this.check();
  }

  /** Nothing is being written, and no more than this waits; or nothing more can be written. */
  #isDone(most: number): boolean {
    if (this.#failure !== null) return true;
    const waiting = this.#log.waitingBytes();
    return !this.#writing && (waiting === 0 || waiting < most);
  }

  #writeNow(): Promise<void> {
    this.#clear();
    this.#writing ??= this.#writeNext();
    return this.#writing;
  }

  async #writeNext(): Promise<void> {
    const write = (): Promise<void> => this.#writeBatch();
    await (this.#log.waitingBytes() < largeBytes
      ? write()
      : largeBatchesOf(this.#log.config).run(write));
    this.#writing = null;
    this.begin();
  }

  async #writeBatch(): Promise<void> {
    const begun = performance.now();
    try {
      await this.#log.write();
      this.#away = null;
      this.#retryMs = firstRetryMs;
      const ended = performance.now();
      this.#restedAt = ended + Math.min(ended - begun, MAX_PAUSE_MS);
    } catch (error) {
      // The same batch would be refused again.
      if (!isServerUnavailable(error) || error instanceof LogLinesLostError)
        return this.giveUp(error);
      this.#away = error;
      this.#restedAt = performance.now() + this.#retryMs;
      this.#retryMs = Math.min(2 * this.#retryMs, MAX_RETRY_MS);
    }
  }

  #clear(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
