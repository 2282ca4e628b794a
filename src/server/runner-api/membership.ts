// Registers this server in the shared database and stores its heartbeat.

import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '../context/context.ts';
import { beat, enter, type Self } from '../runners/runners.ts';
import { storeClosed } from '../runners/runners.store.ts';
import { inTransaction } from '../context/transaction.ts';

const HEARTBEAT_INTERVAL_MS = 3000;

export class Membership {
  readonly #ctx: Context;
  readonly #onMissed: () => void;
  readonly #closing = new AbortController();
  #self: Self | null = null;
  #beating: Promise<void> = Promise.resolve();

  /** `onMissed` is called when a heartbeat cannot be stored, and while it is not. */
  constructor(ctx: Context, onMissed: () => void) {
    this.#ctx = ctx;
    this.#onMissed = onMissed;
  }

  /** The id of this server's row; null before it has registered. */
  get id(): number | null {
    return this.#self?.id ?? null;
  }

  async start(): Promise<void> {
    await inTransaction(this.#ctx, async (inner) => {
      this.#self = await enter(inner);
      // Tasks may have waited for a runner.
      inner.hub.publish('queue.changed', {});
    });
    this.#beating = this.#beat();
  }

  async #beat(): Promise<void> {
    const { signal } = this.#closing;
    let isAway = false;
    for (;;) {
      await delay(HEARTBEAT_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const late = setInterval(this.#onMissed, HEARTBEAT_INTERVAL_MS);
      try {
        await this.#sign();
        isAway = false;
      } catch (error) {
        this.#onMissed();
        if (!isAway) this.#ctx.log.error({ err: error }, 'the database does not answer');
        isAway = true;
      } finally {
        clearInterval(late);
      }
    }
  }

  async #sign(): Promise<void> {
    if (this.#self && (await beat(this.#ctx, this.#self))) return;
    this.#ctx.log.fatal(
      'Another server works with a copy of this data folder, or with the folder itself. This one takes no more tasks: give each server a data folder of its own.',
    );
    this.#closing.abort();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#beating;
    if (!this.#self) return;
    await storeClosed(this.#ctx.db, this.#self).catch((error: unknown) => {
      this.#ctx.log.warn({ err: error }, 'announcing the shutdown to other servers failed');
    });
  }
}
