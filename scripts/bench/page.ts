// Prints `docs/benchmarks.md`: the rows of all benchmarks as one table.

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

export function printPage(machine: Machine, rows: Row[]): string {
  return `${intro}\n${printMachine(machine)}\n${printTable(rows)}`;
}

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
    isMet(row) ? 'yes' : '**no**',
  ];
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
