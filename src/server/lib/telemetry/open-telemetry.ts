// Switches on what the administrator asks for. The packages for it are loaded only then.

import type { Proxies } from '../../../node/net/proxies.ts';
import type { Log } from '../../../node/log/log.ts';
import type { Metrics } from './registry.ts';
import { silentTelemetry, type Telemetry } from './telemetry.ts';

export interface TelemetryWishes {
  metrics: { mostTemplates: number } | null;
  traces: { url: string; headers: Record<string, string> } | null;
  proxies: Proxies;
}

export interface OpenedTelemetry {
  telemetry: Telemetry;
  metrics: Metrics | null;
  /** Sends what has not been sent yet, for at most two seconds. */
  close: () => Promise<void>;
}

export async function openTelemetry(
  { metrics: wish, traces, proxies }: TelemetryWishes,
  log: Log,
): Promise<OpenedTelemetry> {
  const metrics = wish && (await import('./registry.ts')).createMetrics(wish.mostTemplates);
  const told = metrics
    ? { ...silentTelemetry, ...metrics.telemetry, isMeasuring: true }
    : silentTelemetry;
  if (!traces) return { telemetry: told, metrics, close: async () => undefined };
  const { createTracer } = await import('./tracer.ts');
  const tracer = createTracer({ ...traces, proxies }, (outcome, spans, error) => {
    told.count('signalbox_trace_spans_total', { outcome }, spans);
    if (error) log.warn({ err: error, spans }, 'traces could not be sent');
  });
  const telemetry: Telemetry = { ...told, trace: (spans) => tracer.send(spans) };
  return { telemetry, metrics, close: () => tracer.close() };
}
