// How every part of the server tells what happens in it. Nothing is counted and nothing is loaded for
// it until the administrator asks for metrics or traces.

import type { CounterName, HistogramName, LabelsOf } from './measures.ts';
import type { Span } from './span.ts';

export interface Telemetry {
  /** Counts something that has happened, `by` times. */
  count: <Name extends CounterName>(name: Name, labels: LabelsOf<Name>, by?: number) => void;
  /** Adds a measured value; times are in seconds. */
  observe: <Name extends HistogramName>(name: Name, labels: LabelsOf<Name>, value: number) => void;
  /** Whether somebody reads the metrics. */
  isMeasuring: boolean;
  /** Sends spans that have ended; null: traces are switched off. */
  trace: ((spans: Span[]) => void) | null;
}

export const silentTelemetry: Telemetry = {
  count: () => undefined,
  observe: () => undefined,
  isMeasuring: false,
  trace: null,
};

/**
 * Keeps what is told until `tell` is called, for a transaction: one that fails has changed nothing, and
 * so nothing of it is counted.
 */
export function keptBack(telemetry: Telemetry): { telemetry: Telemetry; tell: () => void } {
  if (!telemetry.isMeasuring && telemetry.trace === null)
    return { telemetry, tell: () => undefined };
  const told: (() => void)[] = [];
  const { trace } = telemetry;
  return {
    telemetry: {
      ...telemetry,
      count: (...all) => void told.push(() => telemetry.count(...all)),
      observe: (...all) => void told.push(() => telemetry.observe(...all)),
      trace: trace && ((spans) => void told.push(() => trace(spans))),
    },
    tell() {
      for (const one of told) one();
    },
  };
}
