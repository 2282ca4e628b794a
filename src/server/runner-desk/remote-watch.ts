// Looks after runners without the database: one that is silent for too long has lost its tasks.

import type { Context } from '../context.ts';
import { Rounds } from '../../runner/system/rounds.ts';
import { remoteLostAfter } from '../runners/runners.ts';
import { listSeen } from '../runners/runners.store.ts';
import { giveUpTasks } from './lost.ts';

// Milliseconds between two looks.
const pause = 5000;
const longPause = 60_000;

export class RemoteWatch {
  readonly #rounds: Rounds;
  #end: () => void = () => undefined;
  readonly #ctx: Context;
  /** Since when they could have been heard here. */
  #since = performance.now();

  constructor(ctx: Context, lostAfter = remoteLostAfter) {
    this.#ctx = ctx;
    this.#rounds = new Rounds({
      clock: ctx.clock,
      round: () => this.#look(lostAfter),
      onError: (error) => {
        // Nobody could note a sign of life meanwhile.
        this.#since = performance.now();
        ctx.log.error({ err: error }, 'looking after runners failed');
      },
    });
  }

  start(): void {
    this.#end = this.#ctx.hub.subscribe('given', () => this.#rounds.ask());
    this.#rounds.ask();
  }

  async #look(lostAfter: number): Promise<Date> {
    const { db, clock, log } = this.#ctx;
    const remote = (await listSeen(db)).filter((runner) => runner.remote && runner.running > 0);
    const heard = performance.now() - this.#since;
    for (const runner of remote) {
      if (Math.min(runner.silence, heard) < lostAfter) continue;
      log.warn({ runner: runner.name }, 'a runner is lost, and its tasks with it');
      await giveUpTasks(this.#ctx, runner);
    }
    const wait = remote.length > 0 ? Math.min(pause, lostAfter) : longPause;
    return new Date(clock.now().getTime() + wait);
  }

  async close(): Promise<void> {
    this.#end();
    await this.#rounds.close();
  }
}
