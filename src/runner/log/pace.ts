// All logs share the time that they may use, and leave the rest to requests and to the start of other
// tasks. Output that is printed meanwhile waits in the spools.

import { setTimeout as delay } from 'node:timers/promises';

/** Makes all who share it rest together, in relation to how long they have worked together. */
export class Pace {
  readonly #rest: number;
  readonly #longestMs: number;
  readonly #savedMs: number;
  #freeAt = -Infinity;

  /**
   * `rest`: how many milliseconds of rest follow each millisecond of work. `longestMs`: the longest
   * rest. `savedMs`: how much of the rest that nobody had to take is counted later, so that one slow
   * piece of work does not delay the next one.
   */
  constructor(rest: number, { longestMs = Infinity, savedMs = 0 } = {}) {
    this.#rest = rest;
    this.#longestMs = longestMs;
    this.#savedMs = savedMs;
  }

  /** How many milliseconds to rest after so many milliseconds of work. */
  after(worked: number): number {
    const now = performance.now();
    const unused = now - worked - this.#freeAt;
    const saved = Math.min(Math.max(unused, 0), this.#savedMs);
    const freeAt = Math.max(now - saved, this.#freeAt) + worked * this.#rest;
    this.#freeAt = Math.min(freeAt, now + this.#longestMs);
    return Math.max(this.#freeAt - now, 0);
  }
}

const backlog = new Pace(1);

/** Waits as long as the last work on output that waits has taken. */
export async function restAfter(worked: number): Promise<void> {
  await delay(Math.ceil(backlog.after(worked)));
}
