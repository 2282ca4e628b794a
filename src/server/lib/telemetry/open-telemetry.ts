// Enables metrics and traces if configured, and loads their packages only then.

import type { Proxies } from '../../../node/net/proxies.ts';
import type { Log } from '../../../node/log/log.ts';
import type { Metrics } from './registry.ts';
import { silentTelemetry, type Telemetry } from './telemetry.ts';

export interface TelemetrySettings {
  metrics: { mostTemplates: number } | null;
  traces: { url: string; headers: Record<string, string> } | null;
  proxies: Proxies;
}

export interface OpenedTelemetry {
  telemetry: Telemetry;
  metrics: Metrics | null;
  /** Flushes pending spans, for at most two seconds. */
  close: () => Promise<void>;
}

export async function openTelemetry(
  { metrics: metricsSettings, traces, proxies }: TelemetrySettings,
  log: Log,
): Promise<OpenedTelemetry> {
  const metrics =
    metricsSettings && (await import('./registry.ts')).createMetrics(metricsSettings.mostTemplates);
  const base = metrics
    ? { ...silentTelemetry, ...metrics.telemetry, isMeasuring: true }
    : silentTelemetry;
  if (!traces) return { telemetry: base, metrics, close: async () => undefined };
  const { createTracer } = await import('./tracer.ts');
  const tracer = createTracer({ ...traces, proxies }, (outcome, spans, error) => {
    base.count('signalbox_trace_spans_total', { outcome }, spans);
    if (error) log.warn({ err: error, spans }, 'traces could not be sent');
  });
  const telemetry: Telemetry = { ...base, trace: (spans) => tracer.send(spans) };
  return { telemetry, metrics, close: () => tracer.close() };
}
