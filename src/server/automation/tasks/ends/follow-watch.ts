// Does what follows from the ends of tasks and was left: by a server that has ended, or because it failed.

import { CoalescingLoop } from '../../../../node/async/coalescing-loop.ts';
import type { Context } from '../../../context/context.ts';
import { findNextFollowUp, listDueFollowUps } from './ends.store.ts';
import { followEnd } from './follow-ups.ts';

const MAX_CONCURRENT = 50;
// A server that has ended can give no hub event of what it has left.
const MAX_SLEEP_MS = 30_000;
/** Between two rounds, since what another server is doing just now stays due meanwhile. */
const MIN_SLEEP_MS = 500;

export class FollowWatch {
  readonly #ctx: Context;
  readonly #loop: CoalescingLoop;
  #ends: (() => void)[] = [];
  #isClosed = false;

  constructor(ctx: Context) {
    this.#ctx = ctx;
    this.#loop = new CoalescingLoop({
      clock: ctx.clock,
      run: () => this.#takeRound(),
      onError: (error) => ctx.log.error({ err: error }, 'reading due task follow-ups failed'),
    });
  }

  start(): void {
    const { hub } = this.#ctx;
    const look = (): void => this.#loop.trigger();
    this.#ends = [hub.subscribe('follow-up.added', look), hub.subscribe('hub.events-missed', look)];
    look();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const end of this.#ends) end();
    await this.#loop.close();
  }

  /** Returns when to look again, although nobody asks. */
  async #takeRound(): Promise<Date> {
    const { db, clock } = this.#ctx;
    const due = await listDueFollowUps(db, clock.now().toISOString(), MAX_CONCURRENT);
    for (const task of due) if (!this.#isClosed) await followEnd(this.#ctx, task);
    const next = await findNextFollowUp(db);
    const now = clock.now().getTime();
    const wait = next === null ? MAX_SLEEP_MS : Date.parse(next) - now;
    return new Date(now + Math.min(Math.max(MIN_SLEEP_MS, wait), MAX_SLEEP_MS));
  }
}
