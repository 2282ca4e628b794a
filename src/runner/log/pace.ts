// All logs share the time that they may use, and leave the rest to requests and to the start of other
// tasks. Output that is printed meanwhile waits in the spools.

import { setTimeout as delay } from 'node:timers/promises';

/** Makes all who share it rest together, in relation to how long they have worked together. */
export class Pace {
  readonly #rest: number;
  readonly #longestMs: number;
  #freeAt = 0;

  /** `rest`: how many milliseconds of rest follow each millisecond of work. */
  constructor(rest: number, longestMs = Infinity) {
    this.#rest = rest;
    this.#longestMs = longestMs;
  }

  /** How many milliseconds to rest after so many milliseconds of work. */
  after(worked: number): number {
    const now = performance.now();
    const freeAt = Math.max(now, this.#freeAt) + worked * this.#rest;
    this.#freeAt = Math.min(freeAt, now + this.#longestMs);
    return this.#freeAt - now;
  }
}

const backlog = new Pace(1);

/** Waits as long as the last work on output that waits has taken. */
export async function restAfter(worked: number): Promise<void> {
  await delay(Math.ceil(backlog.after(worked)));
}
