// Memory, queue and disk of the last hour, one sample a minute, in the memory of this server.

import { MAX_RECENT_FIGURES, type RecentFigures } from '#shared/api/system.ts';
import type { Context } from '../../context/context.ts';
import { getDiskSpace } from '../../../node/fs/disk-space.ts';
import { readQueue } from './system-stats.store.ts';

const SAMPLE_INTERVAL_MS = 60_000;

type Parts = Pick<Context, 'config' | 'db' | 'clock' | 'log'>;

export class FiguresSampler {
  readonly #ctx: Parts;
  #samples: RecentFigures[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(ctx: Parts) {
    this.#ctx = ctx;
  }

  start(): void {
    void this.sample();
    this.#timer = setInterval(() => void this.sample(), SAMPLE_INTERVAL_MS);
    this.#timer.unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Oldest first. */
  get recent(): RecentFigures[] {
    return this.#samples;
  }

  async sample(): Promise<void> {
    const { clock, config } = this.#ctx;
    const sample = {
      time: clock.now().toISOString(),
      memory_bytes: process.memoryUsage.rss(),
      free_bytes: getDiskSpace(config.dataDir).free_bytes,
      waiting: await this.#countWaiting(),
    };
    this.#samples = [...this.#samples, sample].slice(-MAX_RECENT_FIGURES);
  }

  async #countWaiting(): Promise<number | null> {
    try {
      return (await readQueue(this.#ctx.db)).waiting;
    } catch (error) {
      this.#ctx.log.warn({ err: error }, 'the queue cannot be counted');
      return null;
    }
  }
}
