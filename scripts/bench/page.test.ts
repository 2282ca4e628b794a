import { expect, test } from 'vitest';
import { takeRow, type Measure, type Row } from './measure.ts';
import { type Machine, printPage } from './page.ts';

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
  baseline: null,
  ...more,
});

const pageOf = (...rows: Row[]): string =>
  printPage(['launch'], '', { name: 'launch', machine, rows });

test('a row has its median, its 95th percentile and its ratio to the baseline', () => {
  const page = pageOf(row({ baseline: { name: 'the script alone', values: [10, 9, 8] } }));
  expect(page).toContain('Measured on 2026-11-25: 2 cores (Some processor), 24 GiB');
  expect(page).toContain(
    '| A launch | 40 ms (95 %: 1,250) | the script alone: 9 ms (95 %: 10) | 4.44 |',
  );
});

test('a row without a baseline, or measured once, says nothing of what it lacks', () => {
  expect(pageOf(row({ ours: [0.123] }))).toContain('| A launch | 0.12 ms | none |  |');
});

test('a benchmark that runs again replaces its own section, in the order of all', () => {
  const names = ['start', 'launch', 'log'];
  const measured = (name: string, what: string) => ({ name, machine, rows: [row({ what })] });
  let page = printPage(names, '## Removed\n\nold\n', measured('log', 'A log'));
  page = printPage(names, page, measured('start', 'An old start'));
  page = printPage(names, page, measured('start', 'A new start'));
  expect(page).not.toContain('An old start');
  expect(page.match(/^## .*/gm)).toEqual(['## Start', '## Log']);
  expect(page.indexOf('A new start')).toBeLessThan(page.indexOf('A log'));
});

test('a measure is taken in turn with its own baseline, or with that of another build', async () => {
  const taken: string[] = [];
  const take = (name: string, ...values: number[]) => {
    return () => {
      taken.push(name);
      return Promise.resolve(values);
    };
  };
  const beside = { name: 'alone', take: take('alone', 1) };
  const own: Measure = { what: 'A', unit: 'ms', rounds: 2, take: take('own', 2, 3), beside };
  expect((await takeRow(own, null, '')).baseline).toEqual({ name: 'alone', values: [1, 1] });
  expect(taken.splice(0)).toEqual(['own', 'alone', 'alone', 'own']);
  const other = { ...own, take: take('other', 5) };
  const compared = await takeRow(own, other, 'before');
  expect(compared).toMatchObject({
    ours: [2, 3, 2, 3],
    baseline: { name: 'before', values: [5, 5] },
  });
});
