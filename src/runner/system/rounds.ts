// Work that is done in rounds: whenever somebody asks, and when it said itself that it is time.

import type { Clock } from './clock.ts';

// Milliseconds before the next round after one has failed, and the longest that a timer can wait.
const patience = 1000;
const longest = 2 ** 31 - 1;

interface RoundsOptions {
  clock: Clock;
  /** Does what there is to do; answers when to look again although nobody asks, or null. */
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

  /** Settles when the rounds that have been asked for are over. */
  get settled(): Promise<void> {
    return this.#turn;
  }

  /** One round at a time; whoever asks meanwhile gets another one. */
  ask(): void {
    this.#isAskedAgain = true;
    if (this.#isTurning || this.#isClosed) return;
    this.#isTurning = true;
    this.#turn = this.#takeTurns();
  }

  /** Settles when the round that is going on is over. */
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
      this.#setAlarm(new Date(clock.now().getTime() + patience));
    } finally {
      // In the same moment as the last look at what was asked, so that nobody asks in between.
      this.#isTurning = false;
    }
  }

  #setAlarm(time: Date | null): void {
    clearTimeout(this.#alarm);
    if (!time || this.#isClosed) return;
    const wait = time.getTime() - this.#options.clock.now().getTime();
    this.#alarm = setTimeout(() => this.ask(), Math.min(Math.max(0, wait), longest));
  }
}
