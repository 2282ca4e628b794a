// Runs a function whenever it is triggered, and at the time that its last run has returned. Triggers during
// a run are coalesced into one more run after it.

import type { Clock } from './clock.ts';

const RETRY_DELAY_MS = 1000;
const MAX_TIMER_MS = 2 ** 31 - 1;

interface CoalescingLoopOptions {
  clock: Clock;
  /** Does the work; returns when the next run is due without a trigger, or null. */
  run: () => Promise<Date | null>;
  /** Called with the error of a run; the next run follows after a second. */
  onError: (error: unknown) => void;
}

export class CoalescingLoop {
  readonly #options: CoalescingLoopOptions;
  #runs: Promise<void> = Promise.resolve();
  #isRunning = false;
  #isTriggered = false;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #hasFailed = false;

  constructor(options: CoalescingLoopOptions) {
    this.#options = options;
  }

  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** Settles when all triggered runs have ended. */
  get settled(): Promise<void> {
    return this.#runs;
  }

  /** Starts a run, or another one after the current run. */
  trigger(): void {
    this.#isTriggered = true;
    if (this.#isRunning || this.#isClosed) return;
    this.#isRunning = true;
    this.#runs = this.#runWhileTriggered();
  }

  /** Starts no more runs; settles when the current one has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#runs;
    clearTimeout(this.#timer);
  }

  async #runWhileTriggered(): Promise<void> {
    const { clock, run, onError } = this.#options;
    try {
      while (this.#isTriggered && !this.#isClosed) {
        this.#isTriggered = false;
        this.#setTimer(await run());
        this.#hasFailed = false;
      }
    } catch (error) {
      onError(error);
      this.#hasFailed = true;
      this.#setTimer(new Date(clock.now().getTime() + RETRY_DELAY_MS));
    } finally {
      // Nothing is awaited between the last check of `#isTriggered` and this line, so no trigger is lost.
      this.#isRunning = false;
    }
  }

  #setTimer(due: Date | null): void {
    clearTimeout(this.#timer);
    if (!due || this.#isClosed) return;
    const wait = due.getTime() - this.#options.clock.now().getTime();
    this.#timer = setTimeout(() => this.trigger(), Math.min(Math.max(0, wait), MAX_TIMER_MS));
  }
}
