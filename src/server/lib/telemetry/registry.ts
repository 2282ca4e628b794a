// The metrics of this process in Prometheus text format. Loaded only when metrics are enabled.

import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import {
  type Count,
  counters,
  type CounterName,
  type GaugeName,
  histograms,
  type HistogramName,
  type Distribution,
  type Measure,
  others,
  ownGauges,
  type Sample,
  sharedGauges,
} from './measures.ts';
import type { Telemetry } from './telemetry.ts';

export type Metrics = ReturnType<typeof createMetrics>;

const own = 'of this process';
const shared = 'of the whole installation';

const gauges: Record<string, Measure & { scope: string }> = {
  ...scoped(ownGauges, own),
  ...scoped(sharedGauges, shared),
};

function scoped(measures: Record<string, Measure>, scope: string) {
  return Object.fromEntries(
    Object.entries(measures).map(([name, measure]) => [name, { ...measure, scope }]),
  );
}

/** `mostTemplates`: the most templates with their own series. */
export function createMetrics(mostTemplates: number) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counted = new Map<CounterName, Counter>();
  for (const [name, measure] of entriesOf<CounterName, Count>(counters)) {
    const counter = new Counter(configOf(name, measure, own, registry));
    const [label = ''] = measure.labels;
    for (const value of measure.values ?? []) counter.inc({ [label]: value }, 0);
    counted.set(name, counter);
  }
  const observed = new Map<HistogramName, Histogram>();
  for (const [name, measure] of entriesOf<HistogramName, Distribution>(histograms)) {
    const buckets = [...measure.buckets];
    observed.set(name, new Histogram({ ...configOf(name, measure, own, registry), buckets }));
  }
  const templates = new Set<string>();
  const isOwn = (id: string): boolean => {
    if (templates.size < mostTemplates) templates.add(id);
    return templates.has(id);
  };
  const telemetry: Pick<Telemetry, 'count' | 'observe'> = {
    count: (name, labels, by = 1) => counted.get(name)?.inc(bounded(labels, isOwn), by),
    observe: (name, labels, value) => observed.get(name)?.observe(labels, value),
  };
  return {
    telemetry,
    contentType: registry.contentType,
    /** Templates with their own series. */
    templateIds: () => [...templates].map(Number),
    /** Renders all metrics with these values of the gauges. */
    print: (samples: Sample[]) => Registry.merge([registry, registryOf(samples)]).metrics(),
  };
}

const entriesOf = <Name extends string, Value>(table: Record<Name, Value>) =>
  Object.entries(table) as [Name, Value][];

const configOf = (name: string, { help, labels }: Measure, scope: string, registry: Registry) => ({
  name,
  help: `${help} (${scope}).`,
  labelNames: [...labels],
  registers: [registry],
});

/** Limits the number of series: further templates share one. */
function bounded(
  labels: Record<string, string>,
  isOwn: (id: string) => boolean,
): Record<string, string> {
  const { template_id: id } = labels;
  if (id === undefined || isOwn(id)) return labels;
  return { ...labels, project_id: others, template_id: others };
}

/** A gauge without a value is absent, never 0. */
function registryOf(samples: Sample[]): Registry {
  const registry = new Registry();
  const made = new Map<GaugeName, Gauge>();
  for (const { name, labels, value } of samples) {
    const measure = gauges[name];
    if (!measure) throw new Error(`${name} is no gauge.`);
    const gauge = made.get(name) ?? new Gauge(configOf(name, measure, measure.scope, registry));
    made.set(name, gauge);
    gauge.set(labels, value);
  }
  return registry;
}
