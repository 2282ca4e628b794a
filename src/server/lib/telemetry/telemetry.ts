// The interface through which all modules record metrics and traces; a no-op unless they are enabled.

import type { CounterName, HistogramName, LabelsOf } from './measures.ts';

/** A span of a trace. */
export interface Span {
  name: string;
  /** 32 hexadecimal digits, the same for all spans of a trace. */
  traceId: string;
  /** 16 hexadecimal digits. */
  id: string;
  parentId: string | null;
  begin: Date;
  end: Date;
  attributes: Record<string, string | number | boolean>;
  isError: boolean;
}

export interface Telemetry {
  count: <Name extends CounterName>(name: Name, labels: LabelsOf<Name>, by?: number) => void;
  /** Times are in seconds. */
  observe: <Name extends HistogramName>(name: Name, labels: LabelsOf<Name>, value: number) => void;
  /** Whether metrics are enabled. */
  isMeasuring: boolean;
  /** Exports ended spans; null: traces are disabled. */
  trace: ((spans: Span[]) => void) | null;
}

export const silentTelemetry: Telemetry = {
  count: () => undefined,
  observe: () => undefined,
  isMeasuring: false,
  trace: null,
};

/** Buffers for a transaction until `flush` is called, since a rolled-back transaction has changed nothing. */
export function bufferTelemetry(telemetry: Telemetry): { telemetry: Telemetry; flush: () => void } {
  const buffered: (() => void)[] = [];
  const { trace } = telemetry;
  return {
    telemetry: {
      ...telemetry,
      count: (...all) => void buffered.push(() => telemetry.count(...all)),
      observe: (...all) => void buffered.push(() => telemetry.observe(...all)),
      trace: trace && ((spans) => void buffered.push(() => trace(spans))),
    },
    flush() {
      for (const record of buffered) record();
    },
  };
}
