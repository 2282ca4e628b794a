// Removes what is not to be kept any longer: after each task, at the start and once a day.
// One piece of work at a time, beside the tasks and never in their way.

import type { Context } from '../context.ts';
import { tidyAll, tidyTemplate } from '../tasks/retention.ts';

const day = 24 * 60 * 60 * 1000;

export class Housekeeper {
  readonly #ctx: Context;
  readonly #end = new AbortController();
  /** Templates of which tasks have ended since they were tidied. */
  readonly #due = new Set<number>();
  #turn: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  start(): void {
    const tidy = (): void => this.#inTurn(() => tidyAll(this.#ctx, this.#end.signal));
    tidy();
    this.#timer = setInterval(tidy, day);
  }

  afterTask(templateId: number): void {
    if (this.#due.has(templateId)) return;
    this.#due.add(templateId);
    this.#inTurn(() => {
      this.#due.delete(templateId);
      return tidyTemplate(this.#ctx, templateId, this.#end.signal);
    });
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#end.abort();
    await this.#turn;
  }

  #inTurn(work: () => Promise<void>): void {
    this.#turn = this.#turn
      .then(async () => {
        if (!this.#end.signal.aborted) await work();
      })
      .catch((error: unknown) => {
        this.#ctx.log.error({ err: error }, 'removing old tasks failed');
      });
  }
}
