// Schedules when the lines of a log are stored, in batches, one after the other. After a batch the writer pauses
// for as long as storing it took, and then stores the lines of that time as one batch; a line after the pause is
// stored at once. So people see a line within milliseconds, and programs that print a lot do not use up the server.
// A log begins with a pause, so that the lines before the first step are stored with it. No other part between the
// program and the server buffers lines or waits.

import { isServerUnavailable, LogLinesLostError } from '../api/server-unavailable.ts';
import { Semaphore } from '../../node/async/semaphore.ts';

const MAX_PAUSE_MS = 100;
/** So many bytes are stored without a pause. */
const batchBytes = 512 * 1024;
/** With more, `room` waits until earlier lines are stored. */
const MAX_BYTES_WAITING = 1024 * 1024;
/** A larger batch counts as large. */
const largeBytes = 64 * 1024;
/** Limits large batches of all logs: the server needs several times their size in memory. */
const largeBatches = new Semaphore(2);

/** The pauses after a failure: each is twice as long as the one before. */
const firstRetryMs = 500;
const MAX_RETRY_MS = 5_000;

export interface WrittenLog {
  /** The size of the lines that are not stored yet. */
  waitingBytes: () => number;
  /** Stores all lines; those that the server cannot store now are kept. */
  write: () => Promise<void>;
}

export class LogWriter {
  readonly #log: WrittenLog;
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> | null = null;
  /** Why nothing can be stored any more; null: it can. */
  #failure: unknown = null;
  /** Why the last batch failed, which is retried; null: it was stored. */
  #away: unknown = null;
  #retryMs = firstRetryMs;
  #restedAt = performance.now() + MAX_PAUSE_MS;

  constructor(log: WrittenLog) {
    this.#log = log;
  }

  /** Stores the waiting lines, after the pause or as soon as they are enough. */
  begin(): void {
    const waiting = this.#log.waitingBytes();
    if (this.#writing || this.#failure !== null || waiting === 0) return;
    const restMs = this.#restedAt - performance.now();
    if (restMs <= 0 || (waiting >= batchBytes && this.#away === null)) void this.#writeNow();
    else this.#timer ??= setTimeout(() => void this.#writeNow(), restMs);
  }

  /** Settles when more lines may be added. */
  async room(): Promise<void> {
    while (this.#log.waitingBytes() >= MAX_BYTES_WAITING) {
      await this.#writing;
      this.#checkNow();
    }
  }

  /** Settles when all lines are stored. */
  async all(): Promise<void> {
    await this.#writeUntil(0);
  }

  /** Stores nothing more, since the next runner does. */
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

  /** Lets the call store the waiting lines, after earlier batches and after lines that are too many for it. */
  async writeWith<T>(call: () => Promise<T>): Promise<T> {
    // Not awaited if nothing waits, so that the call stores all lines up to now.
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
      // After a failure the lines wait for further ones, as the log may be given up.
      if (isWritten) this.begin();
    }
  }

  /** Throws if lines could not be stored. */
  check(): void {
    if (this.#failure === null) return;
    throw new Error('The log of the task cannot be stored', { cause: this.#failure });
  }

  /** Throws also after a failure that would be retried: the caller does not wait for the server. */
  #checkNow(): void {
    if (this.#away !== null) this.giveUp(this.#away);
    this.check();
  }

  /** Whether nothing is being stored and at most `most` bytes wait, or nothing can be stored any more. */
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
    await (this.#log.waitingBytes() < largeBytes ? write() : largeBatches.run(write));
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
      // A retry would be refused again.
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
