// Removes from the data folder what belongs to nothing any more: at the start, once a day, and when
// repositories or projects have changed. One piece of work at a time, beside the tasks.

import type { RunContext } from '../desk/desk.ts';
import type { Owner } from '../git/mirror-name.ts';
import { sweepCaches } from '../prepare/caches.ts';
import { sweep } from './sweep.ts';
import { Slots } from '../system/slots.ts';

const day = 24 * 60 * 60 * 1000;

export class Housekeeper {
  readonly #ctx: RunContext;
  /** The repositories of the tasks that run now. */
  readonly #inUse: () => Owner[];
  #isClosed = false;
  /** What a running task needed was left at the last sweep. */
  #isSweepDue = false;
  /** One piece at a time. */
  readonly #slots = new Slots(1);
  #timer: NodeJS.Timeout | undefined;

  constructor(ctx: RunContext, inUse: () => Owner[]) {
    this.#ctx = ctx;
    this.#inUse = inUse;
  }

  start(): void {
    this.#daily();
    this.#timer = setInterval(() => this.#daily(), day);
  }

  #daily(): void {
    this.sweep();
    this.#inTurn(() => sweepCaches(this.#ctx.config));
  }

  sweep(): void {
    this.#inTurn(() => {
      this.#isSweepDue = this.#inUse().length > 0;
      return sweep(this.#ctx, this.#inUse);
    });
  }

  afterTask(): void {
    if (this.#isSweepDue) this.sweep();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#isClosed = true;
    await this.#slots.whenIdle();
  }

  #inTurn(work: () => Promise<void>): void {
    void this.#slots
      .run(async () => {
        if (!this.#isClosed) await work();
      })
      .catch((error: unknown) => {
        this.#ctx.log.error({ err: error }, 'removing what is not to be kept failed');
      });
  }
}
