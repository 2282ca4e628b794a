import { expect, test } from 'vitest';
import { type Machine, printPage } from './page.ts';
import { isMet, type Row } from './rows.ts';

const machine: Machine = {
  cores: 2,
  processor: 'Some processor',
  memoryGiB: 24,
  kernel: '6.1.0',
  versions: { Signalbox: '1.0.0', Node: '24.12.0' },
  date: '2026-11-25',
};

const row = (more: Partial<Row>): Row => ({
  what: 'A launch',
  unit: 'ms',
  ours: [40, 30, 1250],
  target: {},
  ...more,
});

const pageOf = (...rows: Row[]): string =>
  printPage(['launches'], '', { name: 'launches', machine, rows });

test('a row has its median, its spread, its ratio to the baseline and its target', () => {
  const baseline = { name: 'the script alone', values: [10, 9, 8] };
  const page = pageOf(row({ baseline, target: { atMost: 50 } }));
  expect(page).toContain('Measured on 2026-11-25: 2 cores (Some processor), 24 GiB');
  expect(page).toContain(
    '| A launch | 40 ms (30 to 1,250) | the script alone: 9 ms (8 to 10) | 4.44 | at most 50 ms | yes |',
  );
});

test('a row without a baseline, or measured once, says nothing of what it lacks', () => {
  const page = pageOf(row({ ours: [0.123], target: { atLeast: 1 } }));
  expect(page).toContain('| A launch | 0.12 ms | none |  | at least 1 ms | **no** |');
});

test('a row without a target is neither met nor missed', () => {
  expect(pageOf(row({ ours: [5], target: {} }))).toContain('| A launch | 5 ms | none |  |  |  |');
});

test('a benchmark that runs again replaces its own section, in the order of all', () => {
  const names = ['start', 'launches', 'logs'];
  const measured = (name: string, what: string) => ({ name, machine, rows: [row({ what })] });
  let page = printPage(names, '', measured('logs', 'A log'));
  page = printPage(names, page, measured('start', 'An old start'));
  page = printPage(names, page, measured('start', 'A new start'));
  expect(page).not.toContain('An old start');
  expect(page.match(/^## .*/gm)).toEqual(['## Start', '## Logs']);
  expect(page.indexOf('A new start')).toBeLessThan(page.indexOf('A log'));
});

test.each<[Partial<Row>, boolean]>([
  [{ target: { atMost: 40 } }, true],
  [{ target: { atMost: 39 } }, false],
  [{ target: { atLeast: 40 } }, true],
  [{ target: { atLeast: 41 } }, false],
  [{ baseline: { name: 'x', values: [20] }, target: { ratioAtMost: 2 } }, true],
  [{ baseline: { name: 'x', values: [20] }, target: { ratioAtMost: 1.9 } }, false],
  [{ baseline: { name: 'x', values: [20] }, target: { ratioAtLeast: 2.1 } }, false],
  [{ baseline: { name: 'x', values: [20] }, target: { atMost: 40, ratioAtMost: 1 } }, false],
])('a target counts whole: %j', (more, met) => {
  expect(isMet(row(more))).toBe(met);
});
