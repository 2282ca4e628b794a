// Handles due schedules, with one timer for the next due time, which a hub event about schedules resets.
// The scheduler wakes at least once a minute, since the clock may be set forward, and another server may
// have changed a schedule.

import { Semaphore } from '../../../node/async/semaphore.ts';
import { BackgroundLoop, type Round } from '../../context/background-loop.ts';
import type { Context } from '../../context/context.ts';
import { listChecking } from './fires.store.ts';
import { endCheck, fireDue, type Check, type FindHead } from './firing.ts';
import { findNextDue, listDueRows } from './schedules.store.ts';

// Milliseconds after which an unfinished check is taken over from a server that must have stopped.
const abandoned = 180_000;

const pageSize = 100;
const MAX_RUNNING_INSPECTIONS = 4;
const inspectionTimeoutMs = 60_000;

export class Scheduler {
  readonly #ctx: Context;
  readonly #findHead: FindHead;
  readonly #lookTime: number;
  /** The running checks of this server, by the ids of their rows. */
  readonly #checks = new Map<number, Promise<void>>();
  readonly #looks = new Semaphore(MAX_RUNNING_INSPECTIONS);
  readonly loop: BackgroundLoop;

  constructor(ctx: Context, findHead: FindHead, limits = { inspectionTimeoutMs }) {
    this.#ctx = ctx;
    this.#findHead = findHead;
    this.#lookTime = limits.inspectionTimeoutMs;
    this.loop = new BackgroundLoop(ctx, {
      name: 'schedules',
      wakeOnChanged: ['schedules'],
      run: (round) => this.#takeRound(round),
      pause: { maxMs: 60_000, retryMs: 5_000 },
      failure: 'reading due schedules failed',
    });
  }

  /** Ends the unfinished checks of an earlier server, and handles due times from now on. */
  async start(): Promise<void> {
    await this.#endLeftChecks(0);
    this.loop.start();
  }

  /** Handles what is due now; settles when its checks have ended. */
  async runOnce(): Promise<void> {
    await this.loop.runOnce();
    while (this.#checks.size > 0) await Promise.all(this.#checks.values());
  }

  /** Stops. Unfinished checks stay for the next server. */
  async close(): Promise<void> {
    await this.loop.close();
    await Promise.all(this.#checks.values());
  }

  async #takeRound(round: Round): Promise<string | null> {
    await this.#endLeftChecks(abandoned);
    await this.#takeDue(round);
    return findNextDue(this.#ctx.db);
  }

  async #takeDue({ signal, fail }: Round): Promise<void> {
    const failed = new Set<number>();
    for (;;) {
      const now = this.#ctx.clock.now().toISOString();
      const page = { now, except: [...failed], limit: pageSize };
      const due = await listDueRows(this.#ctx.db, page);
      if (due.length === 0) return;
      for (const schedule of due) {
        if (signal.aborted) return;
        try {
          const fireId = await fireDue(this.#ctx, schedule);
          if (fireId !== null) this.#check({ fireId, scheduleId: schedule.id });
        } catch (error) {
          failed.add(schedule.id);
          fail(error);
          const { id } = schedule;
          this.#ctx.log.error({ err: error, scheduleId: id }, 'processing a due time failed');
        }
      }
    }
  }

  /** Ends checks that are at least `age` milliseconds old. */
  async #endLeftChecks(age: number): Promise<void> {
    const before = new Date(this.#ctx.clock.now().getTime() - age).toISOString();
    for (const { id, schedule_id } of await listChecking(this.#ctx.db, before)) {
      this.#check({ fireId: id, scheduleId: schedule_id });
    }
  }

  #check(check: Check): void {
    if (this.#checks.has(check.fireId)) return;
    const done = this.#look(check)
      .catch((error: unknown) => {
        if (this.loop.closing.aborted) return;
        this.#ctx.log.error({ err: error, ...check }, 'checking for new commits failed');
      })
      .finally(() => this.#checks.delete(check.fireId));
    this.#checks.set(check.fireId, done);
  }

  #look(check: Check): Promise<void> {
    const { closing } = this.loop;
    const looking = { findHead: this.#findHead, inspectionTimeoutMs: this.#lookTime, closing };
    return this.#looks.run(() => endCheck(this.#ctx, check, looking), closing);
  }
}
