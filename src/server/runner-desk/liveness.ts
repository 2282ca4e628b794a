// Says that this server is alive, and gives up the tasks of one that is not. A server holds a job
// and touches it; pg-boss drops a job that nobody touches, and one of the others hears of it. A
// server that comes back in time goes on with its tasks.

import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '../context.ts';
import type { Jobs } from '../db/jobs.ts';
import { inTransaction } from '../transaction.ts';
import { beat, enter, findSeen, leave, lostAfter, type Self } from '../runners/runners.ts';
import { giveUpTasks } from './lost.ts';

// Milliseconds between two signs of life, and between two looks at a server that is silent.
const pause = 3000;
const shortestWait = 1000;

interface Holding {
  runnerId: number;
  session: string;
}

export class Liveness {
  readonly #ctx: Context;
  readonly #jobs: Jobs;
  readonly #closing = new AbortController();
  #self: Self | null = null;
  #job = '';
  #beating: Promise<void> = Promise.resolve();
  #onReturn: () => void = () => undefined;
  /** Since when the database answers. */
  #connected = performance.now();

  constructor(ctx: Context, jobs: Jobs) {
    this.#ctx = ctx;
    this.#jobs = jobs;
  }

  get self(): Self {
    if (!this.#self) throw new Error('This server has not entered yet.');
    return this.#self;
  }

  /** `onReturn`: it was taken for dead meanwhile, and some of its tasks may be gone. */
  async start(onReturn: () => void): Promise<Self> {
    this.#onReturn = onReturn;
    await this.#enter();
    await this.#jobs.onDropped((data) => this.#lookAt(data as Holding));
    this.#beating = this.#beat();
    return this.self;
  }

  async #enter(): Promise<void> {
    await inTransaction(this.#ctx, async (inner) => {
      this.#self = await enter(inner, this.#self?.session);
      const { id: runnerId, session } = this.#self;
      this.#job = await this.#jobs.hold(inner.db, { runnerId, session } satisfies Holding);
      // The tasks that have waited for a runner.
      inner.hub.publish('queue', {});
    });
  }

  async #beat(): Promise<void> {
    const { signal } = this.#closing;
    let isAway = false;
    for (;;) {
      await delay(pause, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await this.#sign();
        if (isAway) this.#connected = performance.now();
        isAway = false;
      } catch (error) {
        if (!isAway) this.#ctx.log.error({ err: error }, 'the database does not answer');
        isAway = true;
      }
    }
  }

  async #sign(): Promise<void> {
    if (!(await beat(this.#ctx, this.self))) {
      this.#ctx.log.fatal(
        'Another server works with a copy of this data folder, or with the folder itself. This one takes no more tasks: give each server a data folder of its own.',
      );
      this.#closing.abort();
      return;
    }
    if (await this.#jobs.touch(this.#job)) return;
    await this.#enter();
    this.#onReturn();
  }

  /** Its job was dropped. It may be back, as the same process or as the next one. */
  async #lookAt({ runnerId, session }: Holding): Promise<void> {
    const runner = await findSeen(this.#ctx.db, runnerId);
    if (!runner || runner.session !== session) return;
    const isKnown = performance.now() - this.#connected > lostAfter / 2;
    if (runner.silence < pause * 2) return;
    if (runner.silence < lostAfter || !isKnown) {
      const wait = Math.max(shortestWait, lostAfter - runner.silence);
      await this.#jobs.dropAgain(this.#ctx.db, { runnerId, session }, Math.ceil(wait / 1000));
      return;
    }
    this.#ctx.log.warn({ runner: runner.name }, 'a server is lost, and its tasks with it');
    await giveUpTasks(this.#ctx, runner);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#beating;
    // The job stays: whether somebody comes back for the tasks is to be seen.
    if (!this.#self) return;
    await leave(this.#ctx, this.#self).catch((error: unknown) => {
      this.#ctx.log.warn({ err: error }, 'the other servers could not be told of the end');
    });
  }
}
