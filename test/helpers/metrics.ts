// Reads the metrics as Prometheus does.

export interface Metric {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** The values in the text form of Prometheus. */
export function readMetrics(text: string): Metric[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const { groups } = /^(?<name>\w+)(?:\{(?<labels>.*)\})? (?<value>\S+)$/.exec(line) ?? {};
      if (!groups) throw new Error(`No line of metrics: ${line}`);
      const labels = [...(groups['labels'] ?? '').matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
      return {
        name: groups['name'] ?? '',
        labels: Object.fromEntries(labels.map(([, name = '', value = '']) => [name, value])),
        value: Number(groups['value']?.replace('Inf', 'Infinity')),
      };
    });
}

/** The values of a metric whose labels include these. */
export function valuesOf(
  text: string,
  name: string,
  labels: Record<string, string> = {},
): number[] {
  return readMetrics(text)
    .filter((one) => one.name === name)
    .filter((one) => Object.entries(labels).every(([label, value]) => one.labels[label] === value))
    .map(({ value }) => value);
}
