// Exports spans to an OpenTelemetry collector. Loaded only when traces are enabled. The queue is bounded,
// so a slow or unreachable collector costs spans, never tasks.

import { SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { connectionTo, unlessAborted } from '../../../node/net/connections.ts';
import type { Proxies } from '../../../node/net/proxies.ts';
import { version } from '../../../node/process/version.ts';
import type { Span } from './telemetry.ts';

const MAX_WAITING = 5000;
const MAX_SPANS_PER_EXPORT = 500;
const EXPORT_INTERVAL_MS = 1000;
const EXPORT_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 2000;

/** `dropped`: the queue was full. */
export type OnSent = (
  outcome: 'sent' | 'failed' | 'dropped',
  spans: number,
  error: Error | null,
) => void;

interface Receiver {
  url: string;
  headers: Record<string, string>;
  proxies: Proxies;
}

const tracesPath = '/v1/traces';
const scope = { name: 'signalbox', version };
const resource = resourceFromAttributes({
  'service.name': 'signalbox',
  'service.version': version,
});

export function createTracer({ url: base, headers, proxies }: Receiver, onSent: OnSent) {
  const url = base.endsWith(tracesPath) ? base : `${base}${tracesPath}`;
  const exporter = new OTLPTraceExporter({
    url,
    httpAgentOptions: () => connectionTo(new URL(url), proxies, { keepAlive: true }).agent,
    headers,
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  let waiting: Span[] = [];
  let sending: Promise<void> | null = null;
  const exportSome = (spans: Span[]): Promise<void> =>
    new Promise((resolve) => {
      exporter.export(spans.map(toReadable), ({ error }) => {
        onSent(error ? 'failed' : 'sent', spans.length, error ?? null);
        resolve();
      });
    });
  const sendAll = async (): Promise<void> => {
    while (waiting.length > 0) await exportSome(waiting.splice(0, MAX_SPANS_PER_EXPORT));
  };
  const flush = (): void => {
    sending ??= sendAll().finally(() => {
      sending = null;
    });
  };
  const timer = setInterval(flush, EXPORT_INTERVAL_MS).unref();
  return {
    send(spans: Span[]): void {
      waiting.push(...spans);
      const tooMany = waiting.length - MAX_WAITING;
      if (tooMany <= 0) return;
      waiting = waiting.slice(tooMany);
      onSent('dropped', tooMany, null);
    },
    async close(): Promise<void> {
      clearInterval(timer);
      flush();
      const limit = AbortSignal.timeout(CLOSE_TIMEOUT_MS);
      await unlessAborted(limit, sending ?? Promise.resolve()).catch(() => undefined);
      // Aborts a pending export.
      void exporter.shutdown().catch(() => undefined);
    },
  };
}

const toTime = (time: Date): [number, number] => {
  const ms = time.getTime();
  return [Math.floor(ms / 1000), (ms % 1000) * 1_000_000];
};

function toReadable({ traceId, id, parentId, begin, end, ...span }: Span): ReadableSpan {
  const contextOf = (spanId: string) => ({ traceId, spanId, traceFlags: TraceFlags.SAMPLED });
  return {
    name: span.name,
    kind: SpanKind.INTERNAL,
    spanContext: () => contextOf(id),
    ...(parentId !== null && { parentSpanContext: contextOf(parentId) }),
    startTime: toTime(begin),
    endTime: toTime(end),
    duration: toTime(new Date(Math.max(0, end.getTime() - begin.getTime()))),
    status: { code: span.isError ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
    attributes: span.attributes,
    links: [],
    events: [],
    ended: true,
    resource,
    instrumentationScope: scope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}
