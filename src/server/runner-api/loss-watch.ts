// Watches the runners of other servers and remote runners: one that is silent for too long loses its
// tasks. Each server watches, and the first that notices takes the tasks away.

import type { Context } from '../context/context.ts';
import { CoalescingLoop } from '../../node/async/coalescing-loop.ts';
import { lostAfter, remoteLostAfter } from '../runners/runners.ts';
import { listSeen, type SeenRunner } from '../runners/runners.store.ts';
import { giveUpTasks } from './lost.ts';

/** Milliseconds of silence after which a runner is lost. */
export interface Limits {
  server: number;
  remote: number;
}

const usual: Limits = { server: lostAfter, remote: remoteLostAfter };

// The time between two checks.
const MIN_PAUSE_MS = 500;
const MAX_PAUSE_MS = 60_000;

export class LossWatch {
  readonly #ctx: Context;
  readonly #limits: Limits;
  readonly #loop: CoalescingLoop;
  /** Since when heartbeats could be stored, in the time of `performance.now`. */
  #since = performance.now();

  constructor(ctx: Context, limits: Partial<Limits> = {}) {
    this.#ctx = ctx;
    this.#limits = { ...usual, ...limits };
    this.#loop = new CoalescingLoop({
      clock: ctx.clock,
      run: () => this.#look(),
      onError: (error) => {
        this.renew();
        ctx.log.error({ err: error }, 'checking runner heartbeats failed');
      },
    });
  }

  /**
   * Lets the time of silence begin again for all runners: the database could not be read or written, so none
   * could store a heartbeat, however well it is.
   */
  renew(): void {
    this.#since = performance.now();
  }

  start(): void {
    this.#loop.trigger();
  }

  async #look(): Promise<Date> {
    const { db, clock, log } = this.#ctx;
    let wait = MAX_PAUSE_MS;
    for (const runner of await listSeen(db)) {
      const left = this.#timeLeft(runner);
      // Runners without a task count too, because they may get one before the next check.
      if (left > 0) wait = Math.min(wait, left);
      if (left > 0 || runner.running === 0) continue;
      log.warn({ runner: runner.name }, 'runner lost, and its tasks with it');
      await giveUpTasks(this.#ctx, runner);
    }
    return new Date(clock.now().getTime() + Math.max(MIN_PAUSE_MS, wait));
  }

  /** Milliseconds until the runner counts as lost if it stays silent. */
  #timeLeft({ remote, silence }: SeenRunner): number {
    const heard = performance.now() - this.#since;
    return (remote ? this.#limits.remote : this.#limits.server) - Math.min(silence, heard);
  }

  async close(): Promise<void> {
    await this.#loop.close();
  }
}
