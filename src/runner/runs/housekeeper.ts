// Removes unused files from the data folder: at the start, once a day, and when repositories or
// projects have changed. It does one piece of work at a time, while tasks run.

import type { RunContext } from '../desk/desk.ts';
import type { Owner } from '../git/mirror-name.ts';
import { sweepCaches } from '../prepare/caches.ts';
import { sweep } from './sweep.ts';
import { Slots } from '../system/slots.ts';

const dayMs = 24 * 60 * 60 * 1000;

export class Housekeeper {
  readonly #ctx: RunContext;
  /** The repositories of the tasks that run now. */
  readonly #inUse: () => Owner[];
  #isClosed = false;
  /** Whether the last sweep kept files only because a task was running. */
  #isSweepDue = false;
  readonly #slots = new Slots(1);
  #timer: NodeJS.Timeout | undefined;

  constructor(ctx: RunContext, inUse: () => Owner[]) {
    this.#ctx = ctx;
    this.#inUse = inUse;
  }

  start(): void {
    this.#daily();
    this.#timer = setInterval(() => this.#daily(), dayMs);
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
        this.#ctx.log.error({ err: error }, 'removing unused files failed');
      });
  }
}
