// Prints `docs/benchmarks.md`: a section for each benchmark, with its rows as a table. A benchmark that
// runs again replaces its own section.

import { quantile, ratioOf, type Row, type Unit } from './measure.ts';

export interface Machine {
  cores: number;
  processor: string;
  memoryGiB: number;
  kernel: string;
  versions: Record<string, string>;
  date: string;
}

export interface Section {
  name: string;
  machine: Machine;
  rows: Row[];
}

const intro = `# Benchmarks

\`npm run bench\` measures all of this on your own machine and writes this page; [how each number is taken](how-we-measure.md) says what a row means. A number alone says little, since machines differ: compare the ratios to the baseline, which the same run measured in turn.
`;

/** Replaces or adds the section of a benchmark in the page; `names` are in their order. */
export function printPage(names: string[], page: string, measured: Section): string {
  const sections = page.split(/^(?=## )/m).slice(1);
  const texts = names.map((name) =>
    name === measured.name
      ? printSection(measured)
      : (sections.find((text) => text.startsWith(place(name))) ?? ''),
  );
  const parts = [intro, ...texts.filter(Boolean)].map((text) => text.trimEnd());
  return `${parts.join('\n\n')}\n`;
}

const place = (name: string): string => `## ${name.charAt(0).toUpperCase()}${name.slice(1)}\n`;

export const printSection = ({ name, machine, rows }: Section): string =>
  `${place(name)}\n${printMachine(machine)}\n${printTable(rows)}`;

function printMachine({ cores, processor, memoryGiB, kernel, versions, date }: Machine): string {
  const used = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return `Measured on ${date}: ${cores} cores (${processor}), ${memoryGiB} GiB of memory, Linux ${kernel}; ${used.join(', ')}.\n`;
}

const head = ['What', 'Signalbox', 'Baseline', 'Ratio'];

function printTable(rows: Row[]): string {
  const cells = [head, head.map(() => '---'), ...rows.map(cellsOf)];
  return `${cells.map((row) => `| ${row.join(' | ')} |`).join('\n')}\n`;
}

function cellsOf(row: Row): string[] {
  const { what, unit, ours, baseline } = row;
  const beside = baseline ? `${baseline.name}: ${printValues(baseline.values, unit)}` : 'none';
  return [what, printValues(ours, unit), beside, ratioOf(row)?.toPrecision(3) ?? ''];
}

/** The median, and the value below which 95 of 100 lie. */
function printValues(values: number[], unit: Unit): string {
  const middle = `${printNumber(quantile(values, 0.5))} ${unit}`;
  return values.length === 1 ? middle : `${middle} (95 %: ${printNumber(quantile(values, 0.95))})`;
}

function printNumber(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toLocaleString('en', { maximumFractionDigits: digits });
}
