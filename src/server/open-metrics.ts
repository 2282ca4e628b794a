// Connects the metrics with their readers: /metrics, or a port of its own.

import { once } from 'node:events';
import type { Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Scraper, type ScrapeSources } from './administration/metrics/scraper.ts';
import type { Context } from './context/context.ts';
import { createMetricsServer, measureRequests, mountMetrics } from './http/metrics.ts';
import type { OpenedTelemetry } from './lib/telemetry/open-telemetry.ts';

/**
 * Returns the server of the port of their own, which does not listen yet; null: they have none. What is
 * opened here and before is closed with `http`.
 */
export function openMetrics(
  ctx: Context,
  http: FastifyInstance,
  { metrics, close }: OpenedTelemetry,
  sources: ScrapeSources,
): Server | null {
  http.addHook('onClose', close);
  const { metrics: settings } = ctx.config;
  if (!metrics || !settings) return null;
  measureRequests(http, ctx.telemetry);
  const scraper = new Scraper(ctx, metrics, sources);
  const source = { scrape: () => scraper.scrape(), token: settings.token };
  if (!settings.listen) {
    mountMetrics(http, source);
    return null;
  }
  const server = createMetricsServer(source);
  http.addHook('onClose', () => closeServer(server));
  return server;
}

async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
