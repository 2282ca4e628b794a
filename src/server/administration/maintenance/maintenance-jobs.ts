// Removes old rows from the database: old tasks of a template after each of its tasks, and all other
// rows at the start and once a day. Once an hour it stops tasks that nobody has confirmed in time. It
// does one piece of work at a time.

import { tidyDeliveries } from '../../alerts/alert-deliveries/alert-deliveries.ts';
import type { Context } from '../../context/context.ts';
import { deleteCalls } from '../../db/call-counts.ts';
import { tidyEvents } from '../../events/events.ts';
import { tidyFires } from '../../automation/schedules/schedules.ts';
import { tidyAttempts } from '../../people/session/attempts.ts';
import { tidyAll, tidyTemplate } from '../../automation/tasks/retention/retention.ts';
import { stopUnconfirmed } from '../../automation/tasks/unconfirmed.ts';
import { Semaphore } from '../../../node/async/semaphore.ts';

const hourMs = 60 * 60 * 1000;

export class MaintenanceJobs {
  readonly #ctx: Context;
  readonly #end = new AbortController();
  /** The templates with tasks that have ended since the last removal. */
  readonly #due = new Set<number>();
  readonly #slots = new Semaphore(1);
  #timer: NodeJS.Timeout | undefined;

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  start(): void {
    this.#daily();
    let hours = 0;
    this.#timer = setInterval(() => {
      hours += 1;
      if (hours % 24 === 0) this.#daily();
      else this.#hourly();
    }, hourMs);
  }

  // Each by itself: what fails keeps back none of the others.

  #hourly(): void {
    this.#runSequentially(() => stopUnconfirmed(this.#ctx));
    this.#runSequentially(() => deleteCalls(this.#ctx.db, this.#ctx.clock.now()));
  }

  #daily(): void {
    const { signal } = this.#end;
    this.#hourly();
    this.#runSequentially(() => tidyAll(this.#ctx, signal));
    this.#runSequentially(() => tidyEvents(this.#ctx, signal));
    this.#runSequentially(() => tidyAttempts(this.#ctx));
    this.#runSequentially(() => tidyFires(this.#ctx));
    this.#runSequentially(() => tidyDeliveries(this.#ctx, signal));
  }

  afterTask(templateId: number): void {
    if (this.#due.has(templateId)) return;
    this.#due.add(templateId);
    this.#runSequentially(() => {
      this.#due.delete(templateId);
      return tidyTemplate(this.#ctx, templateId, this.#end.signal);
    });
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#end.abort();
    await this.#slots.whenIdle();
  }

  #runSequentially(work: () => Promise<void>): void {
    void this.#slots
      .run(async () => {
        if (!this.#end.signal.aborted) await work();
      })
      .catch((error: unknown) => {
        this.#ctx.log.error({ err: error }, 'database maintenance job failed');
      });
  }
}
