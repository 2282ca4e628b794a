// Removes old rows from the database: old tasks of a template after each of its tasks, and all other rows
// at the start and once a day. Once an hour it stops unconfirmed tasks. Jobs run one after the other.

import { tidyDeliveries } from '../../alerts/alert-deliveries/alert-deliveries.ts';
import { BackgroundLoop, type Round } from '../../context/background-loop.ts';
import type { Context } from '../../context/context.ts';
import { deleteCalls } from '../../db/call-counts.ts';
import { tidyEvents } from '../../events/events.ts';
import { tidyFires } from '../../automation/schedules/schedules.ts';
import { tidyAttempts } from '../../people/session/attempts.ts';
import { tidyAll, tidyTemplate } from '../../automation/tasks/retention/retention.ts';
import { stopUnconfirmed } from '../../automation/tasks/confirmation.ts';

const hourMs = 60 * 60 * 1000;

type Job = (signal: AbortSignal) => Promise<void>;

export class MaintenanceJobs {
  readonly #ctx: Context;
  /** The templates with tasks that have ended since the last removal. */
  readonly #templates = new Set<number>();
  readonly loop: BackgroundLoop;
  #hours = 0;
  /** When the hourly jobs are due, in the time of `performance.now`. */
  #nextHour = -Infinity;

  constructor(ctx: Context) {
    this.#ctx = ctx;
    this.loop = new BackgroundLoop(ctx, {
      name: 'maintenance',
      run: (round) => this.#runDue(round),
      failure: 'database maintenance failed',
    });
  }

  afterTask(templateId: number): void {
    this.#templates.add(templateId);
    this.loop.trigger();
  }

  async #runDue(round: Round): Promise<Date> {
    const now = performance.now();
    const jobs: Job[] = [];
    if (now >= this.#nextHour) {
      jobs.push(...this.#hourly(), ...(this.#hours % 24 === 0 ? this.#daily() : []));
      this.#hours += 1;
      this.#nextHour = now + hourMs;
    }
    for (const id of this.#templates) {
      jobs.push((signal) => {
        this.#templates.delete(id);
        return tidyTemplate(this.#ctx, id, signal);
      });
    }
    for (const job of jobs) await this.#runJob(round, job);
    const left = this.#nextHour - performance.now();
    return new Date(this.#ctx.clock.now().getTime() + left);
  }

  #hourly(): Job[] {
    const { db, clock } = this.#ctx;
    return [() => stopUnconfirmed(this.#ctx), () => deleteCalls(db, clock.now())];
  }

  #daily(): Job[] {
    return [
      (signal) => tidyAll(this.#ctx, signal),
      (signal) => tidyEvents(this.#ctx, signal),
      () => tidyAttempts(this.#ctx),
      () => tidyFires(this.#ctx),
      (signal) => tidyDeliveries(this.#ctx, signal),
    ];
  }

  /** A failed job does not prevent the others. */
  async #runJob({ signal, fail }: Round, job: Job): Promise<void> {
    if (signal.aborted) return;
    try {
      await job(signal);
    } catch (error) {
      fail(error);
      this.#ctx.log.error({ err: error }, 'database maintenance job failed');
    }
  }
}
