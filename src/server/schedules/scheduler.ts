// Wakes when a schedule is due. One timer, set to the next due time; a hint sets it anew when
// schedules change. It wakes once a minute at the latest, since the clock may be put forward, and
// another server may have changed what is due.

import { Rounds } from '../../runner/system/rounds.ts';
import { Slots } from '../../runner/system/slots.ts';
import type { Context } from '../context.ts';
import { listChecking } from './fires.store.ts';
import { endCheck, fireDue, type Check, type FindHead } from './firing.ts';
import { findNextDue, listDueRows } from './schedules.store.ts';

// Milliseconds: the longest sleep, and the wait after a schedule could not be taken.
const longest = 60_000;
const patience = 5_000;

// Milliseconds after which a check is taken for left behind by a server that is gone.
const abandoned = 180_000;

// Schedules that are read at once; repositories that are asked at once, and how long each is given.
const pageSize = 100;
const mostLooks = 4;
const lookTime = 60_000;

export class Scheduler {
  readonly #ctx: Context;
  readonly #findHead: FindHead;
  readonly #lookTime: number;
  readonly #closing = new AbortController();
  /** Of rows of this server, by their ids. */
  readonly #checks = new Map<number, Promise<void>>();
  readonly #looks = new Slots(mostLooks);
  readonly #rounds: Rounds;
  #hasStarted = false;
  #ends: (() => void)[] = [];

  constructor(ctx: Context, findHead: FindHead, limits = { lookTime }) {
    this.#ctx = ctx;
    this.#findHead = findHead;
    this.#lookTime = limits.lookTime;
    this.#rounds = new Rounds({
      clock: ctx.clock,
      round: () => this.#takeRound(),
      onError: (error) =>
        ctx.log.error({ err: error }, 'looking for schedules that are due failed'),
    });
  }

  /** Ends what an earlier server has begun, and takes what is due from here on. */
  async start(): Promise<void> {
    this.#hasStarted = true;
    const { hub } = this.#ctx;
    this.#ends = [
      hub.subscribe('changed', ({ noun }) => {
        if (noun === 'schedules') this.#rounds.ask();
      }),
      hub.subscribe('missed', () => this.#rounds.ask()),
    ];
    await this.#endLeftChecks(0);
    this.#rounds.ask();
  }

  /** Takes what is due now; settles when the repositories that this asks have answered. */
  async round(): Promise<void> {
    this.#rounds.ask();
    await this.#rounds.settled;
    while (this.#checks.size > 0) await Promise.all(this.#checks.values());
  }

  /** Takes nothing more. Checks stay for the next server. */
  async close(): Promise<void> {
    for (const end of this.#ends) end();
    this.#closing.abort();
    await this.#rounds.close();
    await Promise.all(this.#checks.values());
  }

  /** Answers when to look again, although nobody asks. */
  async #takeRound(): Promise<Date | null> {
    await this.#endLeftChecks(abandoned);
    const wait = (await this.#takeDue()) ? patience : await this.#untilNext();
    return this.#hasStarted ? new Date(this.#ctx.clock.now().getTime() + wait) : null;
  }

  async #untilNext(): Promise<number> {
    const due = await findNextDue(this.#ctx.db);
    if (due === null) return longest;
    const wait = Date.parse(due) - this.#ctx.clock.now().getTime();
    return Math.min(Math.max(0, wait), longest);
  }

  /** True: something went wrong, and is to be tried again. */
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
          this.#ctx.log.error({ err: error, scheduleId: id }, 'taking a due time failed');
        }
      }
    }
  }

  /** Those that began so many milliseconds ago, or earlier. */
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
        this.#ctx.log.error({ err: error, ...check }, 'looking for new commits failed');
      })
      .finally(() => this.#checks.delete(check.fireId));
    this.#checks.set(check.fireId, done);
  }

  /** Waits for its turn: a few repositories are asked at once. */
  #look(check: Check): Promise<void> {
    const { signal: closing } = this.#closing;
    const looking = { findHead: this.#findHead, lookTime: this.#lookTime, closing };
    return this.#looks.run(() => endCheck(this.#ctx, check, looking), closing);
  }
}
