// Collects the metrics of a scrape. Values from the database are cached for a few seconds, with one query
// at a time. Without the database, a scrape has the metrics of this process only.

import { setTimeout as delay } from 'node:timers/promises';
import { version } from '../../../node/process/version.ts';
import { isAlone, type Context } from '../../context/context.ts';
import { plainSample, type Sample } from '../../lib/telemetry/measures.ts';
import type { Metrics } from '../../lib/telemetry/registry.ts';
import type { HealthStates } from '#shared/api/system.ts';
import { healthSamples, readDisk, readShared } from './gauges.ts';
import { askForOne } from './metrics.store.ts';

/** How long values from the database are cached. */
const freshMs = 5000;
const MAX_WAIT_MS = 2000;

export interface ScrapeSources {
  look: () => Promise<{ states: HealthStates; isReady: boolean }>;
  countConnections: () => number;
}

export class Scraper {
  readonly #ctx: Context;
  readonly #metrics: Metrics;
  readonly #sources: ScrapeSources;
  readonly #mostTemplates: number;
  #last: { samples: Sample[]; readAt: number } | null = null;
  #reading: Promise<Sample[] | null> | null = null;

  constructor(ctx: Context, metrics: Metrics, sources: ScrapeSources) {
    this.#ctx = ctx;
    this.#metrics = metrics;
    this.#sources = sources;
    this.#mostTemplates = ctx.config.metrics?.mostTemplates ?? 0;
  }

  async scrape(): Promise<{ text: string; contentType: string }> {
    const [stored, health, disk] = await Promise.all([
      this.#inTime(),
      this.#sources.look(),
      readDisk(this.#ctx),
    ]);
    const samples: Sample[] = [
      {
        name: 'signalbox_build_info',
        labels: {
          version,
          node: process.versions.node,
          engine: isAlone(this.#ctx) ? 'sqlite' : 'postgresql',
        },
        value: 1,
      },
      plainSample('signalbox_websocket_connections', this.#sources.countConnections()),
      ...healthSamples(health.states, health.isReady),
      ...disk,
      plainSample('signalbox_database_up', stored ? 1 : 0),
      ...(stored ?? []),
    ];
    return { text: await this.#metrics.print(samples), contentType: this.#metrics.contentType };
  }

  /** Values from the database; null: it is unavailable. */
  async #inTime(): Promise<Sample[] | null> {
    const last = this.#last;
    if (last && performance.now() - last.readAt < freshMs) return last.samples;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    const late = new AbortController();
    const limit = delay(MAX_WAIT_MS, null, { signal: late.signal }).catch(() => null);
    return Promise.race([this.#reading, limit]).finally(() => late.abort());
  }

  async #read(): Promise<Sample[] | null> {
    try {
      const begun = performance.now();
      await askForOne(this.#ctx.db);
      const value = (performance.now() - begun) / 1000;
      const ids = this.#metrics.templateIds();
      const samples: Sample[] = [
        { name: 'signalbox_database_query_seconds', labels: {}, value },
        ...(await readShared(this.#ctx, ids, this.#mostTemplates)),
      ];
      this.#last = { samples, readAt: performance.now() };
      return samples;
    } catch (error) {
      this.#last = null;
      this.#ctx.log.warn({ err: error }, 'the metrics cannot be read from the database');
      return null;
    }
  }
}
