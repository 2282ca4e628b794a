// Removes what is not to be kept any longer: old tasks after each task, at the start and once a
// day; what repositories and projects have left when these change. Looks every hour for tasks that
// nobody confirms.
// One piece of work at a time, beside the tasks and never in their way.

import { tidyDeliveries } from '../server/alert-deliveries/alert-deliveries.ts';
import type { Context } from '../server/context.ts';
import type { RunContext } from './desk.ts';
import { tidyEvents } from '../server/events/events.ts';
import { deleteCalls } from '../server/db/call-counts.ts';
import { tidyAll, tidyTemplate } from '../server/tasks/retention.ts';
import { tidyAttempts } from '../server/session/attempts.ts';
import { tidyFires } from '../server/schedules/schedules.ts';
import type { Owner } from './git/mirror.ts';
import { sweep, sweepCaches } from './sweep.ts';
import { stopUnconfirmed } from '../server/tasks/unconfirmed.ts';

const hour = 60 * 60 * 1000;

/** What is to be done beside the runs, other than in the data folder. */
export interface Chores {
  hourly: () => Promise<void>;
  daily: (signal: AbortSignal) => Promise<void>;
  afterTask: (templateId: number, signal: AbortSignal) => Promise<void>;
}

/** Those of a server with the database. */
export const databaseChores = (ctx: Context): Chores => ({
  async hourly() {
    await stopUnconfirmed(ctx);
    await deleteCalls(ctx.db, ctx.clock.now());
  },
  async daily(signal) {
    await tidyAll(ctx, signal);
    await tidyEvents(ctx, signal);
    await tidyAttempts(ctx);
    await tidyFires(ctx);
    await tidyDeliveries(ctx, signal);
  },
  afterTask: (templateId, signal) => tidyTemplate(ctx, templateId, signal),
});

export class Housekeeper {
  readonly #ctx: RunContext;
  readonly #chores: Chores;
  /** The repositories of the tasks that run now. */
  readonly #inUse: () => Owner[];
  readonly #end = new AbortController();
  /** Templates of which tasks have ended since they were tidied. */
  readonly #due = new Set<number>();
  /** What a running task needed was left at the last sweep. */
  #isSweepDue = false;
  #turn: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(ctx: RunContext, chores: Chores, inUse: () => Owner[]) {
    this.#ctx = ctx;
    this.#chores = chores;
    this.#inUse = inUse;
  }

  start(): void {
    this.sweep();
    this.#inTurn(() => this.#daily());
    let hours = 0;
    this.#timer = setInterval(() => {
      hours += 1;
      if (hours % 24 === 0) this.sweep();
      this.#inTurn(() => (hours % 24 === 0 ? this.#daily() : this.#chores.hourly()));
    }, hour);
  }

  async #daily(): Promise<void> {
    await this.#chores.hourly();
    await this.#chores.daily(this.#end.signal);
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
      return this.#chores.afterTask(templateId, this.#end.signal);
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
