import { within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { system, type RecentFigures as Sample, type SystemFigures } from '#shared/api/system.ts';
import { renderAt, replyOf } from '../../../../test/components/render.tsx';
import { pathOf } from '../../ui/charts/line.tsx';
import { RecentFigures } from './recent-figures.tsx';

const figuresWith = (recent: Sample[]): SystemFigures => ({
  disk: { folder: '/data', free_bytes: 5e9, size_bytes: 9e9, low_bytes: 1e9 },
  database: { engine: 'sqlite', version: '3.50.0', size_bytes: 1e6 },
  queue: { waiting: 1, oldest_waiting: null, to_confirm: 0, running: 0 },
  backups: { scheduled: true, last: null, bytes: null, failure: null },
  set_aside: { count: 0, newest: null, folder: '/data/set-aside' },
  server: {
    version: '1.0.0',
    node: '24.0.0',
    zone_rules: '2026e',
    started: '2026-11-01T00:00:00.000Z',
    memory_bytes: 2e8,
    machine_bytes: 8e9,
    proxies: { http: null, https: null },
  },
  recent,
  loops: [],
  runners: [],
});

const samples: Sample[] = [
  { time: '2026-11-21T08:00:00.000Z', memory_bytes: 1e8, free_bytes: 5e9, waiting: 7 },
  { time: '2026-11-21T08:01:00.000Z', memory_bytes: 3e8, free_bytes: null, waiting: null },
  { time: '2026-11-21T08:02:00.000Z', memory_bytes: 2e8, free_bytes: 4e9, waiting: 0 },
];

test('each line says its current, lowest and highest value, and the table has all', async () => {
  const view = await renderAt(<RecentFigures />, {
    replies: [replyOf(system.figures, figuresWith(samples))],
  });
  await view.findByText('100 MB to 300 MB');
  const texts = view.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(texts).toEqual([
    'Memory200 MB100 MB to 300 MB',
    'Waiting tasks00 to 7',
    'Free disk space4 GB4 GB to 5 GB',
  ]);
  await view.user.click(view.getByRole('button', { name: 'Show as table' }));
  const rows = view.getAllByRole('row').slice(1);
  const cells = rows.map((row) =>
    within(row)
      .getAllByRole('cell')
      .map((cell) => cell.textContent),
  );
  expect(cells).toEqual([
    ['200 MB', '0', '4 GB'],
    ['300 MB', '—', '—'],
    ['100 MB', '7', '5 GB'],
  ]);
});

test('a server that has just started has no values', async () => {
  const view = await renderAt(<RecentFigures />, {
    replies: [replyOf(system.figures, figuresWith([]))],
  });
  expect(await view.findAllByText('—')).toHaveLength(3);
});

test('the last value is at the right edge, and an unknown value is a gap', () => {
  const size = { room: 5, height: 24 };
  expect(pathOf([10, 5, null, 0], size)).toBe('M25 2h0L50 12M100 22h0');
  expect(pathOf([], size)).toBe('');
});
