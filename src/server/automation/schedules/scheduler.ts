// Wakes when a schedule is due, with one timer for the next due time. A hub event about schedules sets the
// timer again. The scheduler wakes at least once a minute, since the clock may be set forward, and
// another server may have changed a schedule.

import { CoalescingLoop } from '../../../node/async/coalescing-loop.ts';
import { Semaphore } from '../../../node/async/semaphore.ts';
import type { Context } from '../../context/context.ts';
import { listChecking } from './fires.store.ts';
import { endCheck, fireDue, type Check, type FindHead } from './firing.ts';
import { findNextDue, listDueRows } from './schedules.store.ts';

// Milliseconds: the longest sleep, and the wait after a schedule could not be taken.
const MAX_SLEEP_MS = 60_000;
const retryMs = 5_000;

// Milliseconds after which an unfinished check is taken over from a server that must have stopped.
const abandoned = 180_000;

// How many schedules are read at once; how many repositories are asked at once, and how long each may take.
const pageSize = 100;
const MAX_RUNNING_INSPECTIONS = 4;
const inspectionTimeoutMs = 60_000;

export class Scheduler {
  readonly #ctx: Context;
  readonly #findHead: FindHead;
  readonly #lookTime: number;
  readonly #closing = new AbortController();
  /** The running checks of this server, by the ids of their rows. */
  readonly #checks = new Map<number, Promise<void>>();
  readonly #looks = new Semaphore(MAX_RUNNING_INSPECTIONS);
  readonly #loop: CoalescingLoop;
  #hasStarted = false;
  #ends: (() => void)[] = [];

  constructor(ctx: Context, findHead: FindHead, limits = { inspectionTimeoutMs }) {
    this.#ctx = ctx;
    this.#findHead = findHead;
    this.#lookTime = limits.inspectionTimeoutMs;
    this.#loop = new CoalescingLoop({
      clock: ctx.clock,
      run: () => this.#takeRound(),
      onError: (error) => ctx.log.error({ err: error }, 'reading due schedules failed'),
    });
  }

  /** Ends the unfinished checks of an earlier server, and handles due times from now on. */
  async start(): Promise<void> {
    this.#hasStarted = true;
    const { hub } = this.#ctx;
    this.#ends = [
      hub.subscribe('resource.changed', ({ noun }) => {
        if (noun === 'schedules') this.#loop.trigger();
      }),
      hub.subscribe('hub.events-missed', () => this.#loop.trigger()),
    ];
    await this.#endLeftChecks(0);
    this.#loop.trigger();
  }

  /** Handles what is due now; settles when the repositories that it asks have answered. */
  async runOnce(): Promise<void> {
    this.#loop.trigger();
    await this.#loop.settled;
    while (this.#checks.size > 0) await Promise.all(this.#checks.values());
  }

  /** Stops. Unfinished checks stay for the next server. */
  async close(): Promise<void> {
    for (const end of this.#ends) end();
    this.#closing.abort();
    await this.#loop.close();
    await Promise.all(this.#checks.values());
  }

  /** Returns when to look again, although nobody asks. */
  async #takeRound(): Promise<Date | null> {
    await this.#endLeftChecks(abandoned);
    const wait = (await this.#takeDue()) ? retryMs : await this.#untilNext();
    return this.#hasStarted ? new Date(this.#ctx.clock.now().getTime() + wait) : null;
  }

  async #untilNext(): Promise<number> {
    const due = await findNextDue(this.#ctx.db);
    if (due === null) return MAX_SLEEP_MS;
    const wait = Date.parse(due) - this.#ctx.clock.now().getTime();
    return Math.min(Math.max(0, wait), MAX_SLEEP_MS);
  }

  /** Runs a round; true when an error means that the round has to be repeated. */
  async #takeDue(): Promise<boolean> {
    const failed = new Set<number>();
    for (;;) {
      const now = this.#ctx.clock.now().toISOString();
      const page = { now, except: [...failed], limit: pageSize };
      const due = await listDueRows(this.#ctx.db, page);
      if (due.length === 0) return failed.size > 0;
      for (const schedule of due) {
        if (this.#closing.signal.aborted) return false;
        try {
          const fireId = await fireDue(this.#ctx, schedule);
          if (fireId !== null) this.#check({ fireId, scheduleId: schedule.id });
        } catch (error) {
          failed.add(schedule.id);
          const { id } = schedule;
          this.#ctx.log.error({ err: error, scheduleId: id }, 'processing a due time failed');
        }
      }
    }
  }

  /** Ends checks that began at least so many milliseconds ago. */
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
        if (this.#closing.signal.aborted) return;
        this.#ctx.log.error({ err: error, ...check }, 'checking for new commits failed');
      })
      .finally(() => this.#checks.delete(check.fireId));
    this.#checks.set(check.fireId, done);
  }

  /** Asks a repository in its turn, since only a few are asked at once. */
  #look(check: Check): Promise<void> {
    const { signal: closing } = this.#closing;
    const looking = { findHead: this.#findHead, inspectionTimeoutMs: this.#lookTime, closing };
    return this.#looks.run(() => endCheck(this.#ctx, check, looking), closing);
  }
}
