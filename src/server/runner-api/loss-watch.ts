// Watches the heartbeats of other servers and remote runners, and revokes the leases of lost ones. Each
// server does this; the first one that detects a loss revokes.

import { BackgroundLoop } from '../context/background-loop.ts';
import type { Context } from '../context/context.ts';
import { lostAfter, remoteLostAfter } from '../runners/runners.ts';
import { listSeen, type SeenRunner } from '../runners/runners.store.ts';
import { giveUpTasks } from './lost.ts';

/** Milliseconds without a heartbeat after which a runner is lost. */
export interface Limits {
  server: number;
  remote: number;
}

export class LossWatch {
  readonly #ctx: Context;
  readonly #limits: Limits;
  readonly loop: BackgroundLoop;
  /** Since when heartbeats could be stored, in the time of `performance.now`. */
  #since = performance.now();

  constructor(ctx: Context, limits: Partial<Limits> = {}) {
    this.#ctx = ctx;
    this.#limits = { server: lostAfter, remote: remoteLostAfter, ...limits };
    this.loop = new BackgroundLoop(ctx, {
      name: 'lost_runners',
      run: () => this.#look(),
      pause: { minMs: 500, maxMs: 60_000 },
      failure: 'checking runner heartbeats failed',
      onFailure: () => this.renew(),
    });
  }

  /** Restarts the timeouts of all runners: without the database, no runner could store a heartbeat. */
  renew(): void {
    this.#since = performance.now();
  }

  async #look(): Promise<Date | null> {
    const { db, clock, log } = this.#ctx;
    let wait = Infinity;
    for (const runner of await listSeen(db)) {
      const left = this.#timeLeft(runner);
      // Runners without a task count too, because they may be assigned one before the next check.
      if (left > 0) wait = Math.min(wait, left);
      if (left > 0 || runner.running === 0) continue;
      log.warn({ runner: runner.name }, 'runner lost, and its tasks with it');
      await giveUpTasks(this.#ctx, runner);
    }
    return wait === Infinity ? null : new Date(clock.now().getTime() + wait);
  }

  /** Milliseconds until the runner counts as lost without a heartbeat. */
  #timeLeft({ remote, silence }: SeenRunner): number {
    const heard = performance.now() - this.#since;
    return (remote ? this.#limits.remote : this.#limits.server) - Math.min(silence, heard);
  }
}
