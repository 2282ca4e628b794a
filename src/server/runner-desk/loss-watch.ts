// Looks after runners, those of other servers and those without the database: one that is silent
// for too long has lost its tasks. Each server looks; whoever is first gives the tasks up.

import type { Context } from '../context/context.ts';
import { Rounds } from '../../runner/system/rounds.ts';
import { lostAfter, remoteLostAfter } from '../runners/runners.ts';
import { listSeen, type SeenRunner } from '../runners/runners.store.ts';
import { giveUpTasks } from './lost.ts';

/** Milliseconds of silence after which a runner is lost. */
export interface Limits {
  server: number;
  remote: number;
}

const usual: Limits = { server: lostAfter, remote: remoteLostAfter };

// Milliseconds between two looks, at least and at most.
const shortestPause = 500;
const longestPause = 60_000;

export class LossWatch {
  readonly #ctx: Context;
  readonly #limits: Limits;
  readonly #rounds: Rounds;
  /** Since when a sign of life could have been noted, in the count of this process. */
  #since = performance.now();

  constructor(ctx: Context, limits: Partial<Limits> = {}) {
    this.#ctx = ctx;
    this.#limits = { ...usual, ...limits };
    this.#rounds = new Rounds({
      clock: ctx.clock,
      round: () => this.#look(),
      onError: (error) => {
        // Nobody could note a sign of life meanwhile.
        this.#since = performance.now();
        ctx.log.error({ err: error }, 'looking after runners failed');
      },
    });
  }

  start(): void {
    this.#rounds.ask();
  }

  async #look(): Promise<Date> {
    const { db, clock, log } = this.#ctx;
    let wait = longestPause;
    for (const runner of await listSeen(db)) {
      const left = this.#timeLeft(runner);
      // Of one that has no task as well: it may be given one before the next look.
      if (left > 0) wait = Math.min(wait, left);
      if (left > 0 || runner.running === 0) continue;
      log.warn({ runner: runner.name }, 'a runner is lost, and its tasks with it');
      await giveUpTasks(this.#ctx, runner);
    }
    return new Date(clock.now().getTime() + Math.max(shortestPause, wait));
  }

  /** Milliseconds until it counts as lost, if nothing is heard of it. */
  #timeLeft({ remote, silence }: SeenRunner): number {
    const heard = performance.now() - this.#since;
    return (remote ? this.#limits.remote : this.#limits.server) - Math.min(silence, heard);
  }

  async close(): Promise<void> {
    await this.#rounds.close();
  }
}
