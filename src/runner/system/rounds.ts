// Repeats a piece of work, the round: whenever somebody asks for one, and at the time that the last
// round has named.

import type { Clock } from './clock.ts';

const retryPauseMs = 1000;
// A timer of Node cannot wait longer.
const longestTimerMs = 2 ** 31 - 1;

interface RoundsOptions {
  clock: Clock;
  /** Does the work; answers when the next round is due although nobody asks, or null. */
  round: () => Promise<Date | null>;
  onError: (error: unknown) => void;
}

export class Rounds {
  readonly #options: RoundsOptions;
  #turn: Promise<void> = Promise.resolve();
  #isTurning = false;
  #isAskedAgain = false;
  #alarm: NodeJS.Timeout | undefined;
  #isClosed = false;
  #hasFailed = false;

  constructor(options: RoundsOptions) {
    this.#options = options;
  }

  /** Whether the last round failed. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** Settles when all rounds that were asked for have ended. */
  get settled(): Promise<void> {
    return this.#turn;
  }

  /** Asks for a round. Only one runs at a time; a request during a round brings another one after it. */
  ask(): void {
    this.#isAskedAgain = true;
    if (this.#isTurning || this.#isClosed) return;
    this.#isTurning = true;
    this.#turn = this.#takeTurns();
  }

  /** Starts no more rounds; settles when the current one has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#turn;
    clearTimeout(this.#alarm);
  }

  async #takeTurns(): Promise<void> {
    const { clock, round, onError } = this.#options;
    try {
      while (this.#isAskedAgain && !this.#isClosed) {
        this.#isAskedAgain = false;
        this.#setAlarm(await round());
        this.#hasFailed = false;
      }
    } catch (error) {
      onError(error);
      this.#hasFailed = true;
      this.#setAlarm(new Date(clock.now().getTime() + retryPauseMs));
    } finally {
      // Nothing is awaited between the last check of `#isAskedAgain` and this line, so no request is lost.
      this.#isTurning = false;
    }
  }

  #setAlarm(time: Date | null): void {
    clearTimeout(this.#alarm);
    if (!time || this.#isClosed) return;
    const wait = time.getTime() - this.#options.clock.now().getTime();
    this.#alarm = setTimeout(() => this.ask(), Math.min(Math.max(0, wait), longestTimerMs));
  }
}
