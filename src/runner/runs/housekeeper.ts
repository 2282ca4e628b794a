// Removes unused files from the data folder: at the start, once a day, and when repositories or projects have changed,
// one job at a time, while tasks run.

import type { RunContext } from '../api/runner-api.ts';
import { sweepEngine } from '../containers/sweep-engine.ts';
import { sweepCaches } from '../prepare/caches.ts';
import { makeRoom, sweepHomes } from '../prepare/persistent-home.ts';
import { clearCaches, noteCleared, readCleared, type Uses } from './clear-caches.ts';
import { sweep } from './sweep.ts';
import { Semaphore } from '../../node/async/semaphore.ts';

const dayMs = 24 * 60 * 60 * 1000;

export class Housekeeper {
  readonly #ctx: RunContext;
  readonly #uses: () => Uses;
  /** Whether parked tasks of this runner use the caches. */
  readonly #isParked: () => Promise<boolean>;
  /** The time of a request to clear the caches that is not completed; null: none. */
  #asked: string | null = null;
  #clearing: Promise<void> | null = null;
  readonly #closing = new AbortController();
  /** Whether the last sweep may have kept files of running tasks. */
  #isSweepDue = false;
  readonly #slots = new Semaphore(1);
  #timer: NodeJS.Timeout | undefined;

  constructor(ctx: RunContext, uses: () => Uses, isParked: () => Promise<boolean>) {
    this.#ctx = ctx;
    this.#uses = uses;
    this.#isParked = isParked;
  }

  start(): void {
    this.#daily();
    this.#timer = setInterval(() => this.#daily(), dayMs);
  }

  #daily(): void {
    this.sweep();
    this.#runSequentially(() => sweepCaches(this.#ctx.config));
    this.#runSequentially(() => sweepHomes(this.#ctx.config));
    this.#runSequentially(() => sweepEngine(this.#ctx.config));
  }

  sweep(): void {
    this.#runSequentially(() => {
      const inUse = () => this.#uses().repositories;
      this.#isSweepDue = inUse().length > 0;
      return sweep(this.#ctx, inUse);
    });
  }

  afterTask(): void {
    this.#runSequentially(() => this.#makeRoom());
    if (this.#isSweepDue) this.sweep();
    if (this.#asked !== null) this.clear(this.#asked);
  }

  async #makeRoom(): Promise<void> {
    const { config, log } = this.#ctx;
    if (await makeRoom(config)) log.warn({}, 'the disk is full: unused home folders were removed');
  }

  /** Clears the caches once for the request of this time; those in use after the running tasks have ended. */
  clear(asked: string): void {
    this.#asked = asked;
    this.#runSequentially(() => this.#clear(asked));
  }

  /** Settles when the caches are cleared, before which no task may begin. Null: they are not being cleared. */
  get clearing(): Promise<void> | null {
    return this.#clearing;
  }

  async #clear(asked: string): Promise<void> {
    const { config } = this.#ctx;
    const isFollowed = (await readCleared(config)) >= asked;
    if (!isFollowed && (await this.#isParked())) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#clearing = promise;
    try {
      if (!isFollowed && !(await clearCaches(config, this.#uses))) return;
      if (!isFollowed) await noteCleared(config, asked);
      if (this.#asked === asked) this.#asked = null;
    } finally {
      this.#clearing = null;
      resolve();
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closing.abort();
    await this.#slots.whenIdle();
  }

  #runSequentially(work: () => Promise<void>): void {
    void this.#slots
      .run(async () => {
        if (!this.#closing.signal.aborted) await work();
      })
      .catch((error: unknown) => {
        this.#ctx.log.error({ err: error }, 'removing unused files failed');
      });
  }
}
