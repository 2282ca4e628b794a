// Prints `docs/benchmarks.md`: a section for each benchmark, with its rows as a table. A benchmark that
// runs again replaces its own section.

import { isMet, median, quantile, ratioOf, type Row } from './rows.ts';

export interface Machine {
  cores: number;
  processor: string;
  memoryGiB: number;
  kernel: string;
  versions: Record<string, string>;
  date: string;
}

const intro = `# Benchmarks

\`npm run bench\` measures all of this on your own machine and writes this page; [how each number is taken](how-we-measure.md) says what a row means. A number alone says little, since machines differ: each row has a baseline, which the same run measured beside it.
`;

/** The page with the section of a benchmark in place of an earlier one; `names` are in their order. */
export function printPage(names: string[], page: string, measured: Section): string {
  const sections = page.split(/^(?=## )/m).slice(1);
  const place = (name: string): string => `## ${capital(name)}\n`;
  const texts = names.map((name) =>
    name === measured.name
      ? `${place(name)}\n${printMachine(measured.machine)}\n${printTable(measured.rows)}`
      : (sections.find((text) => text.startsWith(place(name)))?.trimEnd() ?? ''),
  );
  return [intro.trimEnd(), ...texts.filter(Boolean).map((text) => text.trimEnd())]
    .join('\n\n')
    .concat('\n');
}

export interface Section {
  name: string;
  machine: Machine;
  rows: Row[];
}

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

function printMachine({ cores, processor, memoryGiB, kernel, versions, date }: Machine): string {
  const used = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return `Measured on ${date}: ${cores} cores (${processor}), ${memoryGiB} GiB of memory, Linux ${kernel}; ${used.join(', ')}.\n`;
}

const head = ['What', 'Signalbox', 'Baseline', 'Ratio', 'Target', 'Met'];

function printTable(rows: Row[]): string {
  const cells = [head, head.map(() => '---'), ...rows.map(cellsOf)];
  return `${cells.map((row) => `| ${row.join(' | ')} |`).join('\n')}\n`;
}

function cellsOf(row: Row): string[] {
  const { baseline, unit } = row;
  return [
    row.what,
    printValues(row.ours, unit),
    baseline ? `${baseline.name}: ${printValues(baseline.values, unit)}` : 'none',
    ratioOf(row)?.toPrecision(3) ?? '',
    printTarget(row),
    verdictOn(row),
  ];
}

function verdictOn(row: Row): string {
  if (Object.keys(row.target).length === 0) return '';
  return isMet(row) ? 'yes' : '**no**';
}

/** The median, and between which values all lie. */
function printValues(values: number[], unit: Row['unit']): string {
  const middle = `${printNumber(median(values))} ${unit}`;
  if (values.length === 1) return middle;
  return `${middle} (${printNumber(quantile(values, 0))} to ${printNumber(quantile(values, 1))})`;
}

function printNumber(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toLocaleString('en', { maximumFractionDigits: digits });
}

function printTarget({ target, unit }: Row): string {
  const parts = [
    target.atMost === undefined ? '' : `at most ${printNumber(target.atMost)} ${unit}`,
    target.atLeast === undefined ? '' : `at least ${printNumber(target.atLeast)} ${unit}`,
    target.ratioAtMost === undefined ? '' : `ratio at most ${printNumber(target.ratioAtMost)}`,
    target.ratioAtLeast === undefined ? '' : `ratio at least ${printNumber(target.ratioAtLeast)}`,
  ];
  return parts.filter(Boolean).join(', ');
}
