// Removes what is not to be kept any longer: old tasks after each task, at the start and once a
// day; what repositories and projects have left when these change. Looks every hour for tasks that
// nobody confirms.
// One piece of work at a time, beside the tasks and never in their way.

import { tidyDeliveries } from '../alert-deliveries/alert-deliveries.ts';
import type { Context } from '../context.ts';
import { tidyEvents } from '../events/events.ts';
import { tidyAll, tidyTemplate } from '../tasks/retention.ts';
import { tidyAttempts } from '../session/attempts.ts';
import { tidyFires } from '../schedules/schedules.ts';
import type { Owner } from './git/mirror.ts';
import { sweep, sweepCaches } from './sweep.ts';
import { stopUnconfirmed } from './unconfirmed.ts';

const hour = 60 * 60 * 1000;

export class Housekeeper {
  readonly #ctx: Context;
  /** The repositories of the tasks that run now. */
  readonly #inUse: () => Owner[];
  readonly #end = new AbortController();
  /** Templates of which tasks have ended since they were tidied. */
  readonly #due = new Set<number>();
  /** What a running task needed was left at the last sweep. */
  #isSweepDue = false;
  #turn: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(ctx: Context, inUse: () => Owner[]) {
    this.#ctx = ctx;
    this.#inUse = inUse;
  }

  start(): void {
    this.sweep();
    this.#inTurn(() => this.#daily());
    let hours = 0;
    this.#timer = setInterval(() => {
      hours += 1;
      this.#inTurn(() => (hours % 24 === 0 ? this.#daily() : stopUnconfirmed(this.#ctx)));
    }, hour);
  }

  async #daily(): Promise<void> {
    await stopUnconfirmed(this.#ctx);
    await tidyAll(this.#ctx, this.#end.signal);
    await tidyEvents(this.#ctx, this.#end.signal);
    await tidyAttempts(this.#ctx);
    await tidyFires(this.#ctx);
    await tidyDeliveries(this.#ctx, this.#end.signal);
    await sweepCaches(this.#ctx);
  }

  sweep(): void {
    this.#inTurn(() => {
      this.#isSweepDue = this.#inUse().length > 0;
      return sweep(this.#ctx, this.#inUse);
    });
  }

  afterTask(templateId: number): void {
    if (this.#isSweepDue) this.sweep();
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
        this.#ctx.log.error({ err: error }, 'removing what is not to be kept failed');
      });
  }
}
