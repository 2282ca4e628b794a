import { expect, test } from 'vitest';
import type { SystemFigures } from '#shared/api/system.ts';
import { sizeWords } from './sizes.ts';
import { asideOnRunners, isUnusual } from './unusual.ts';

const now = Date.parse('2026-11-21T12:00:00.000Z');
const usual: SystemFigures = {
  disk: { folder: '/data', free_bytes: 5e9, size_bytes: 9e9, low_bytes: 1e9 },
  database: { engine: 'sqlite', version: '3.50.0', size_bytes: 1e6 },
  queue: { waiting: 1, oldest_waiting: '2026-11-21T11:50:00.000Z', to_confirm: 9, running: 2 },
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
  recent: [],
  loops: [],
  runners: [],
};

test('figures in their usual range are not marked', () => {
  for (const name of [
    'set_aside',
    'disk',
    'database',
    'backups',
    'queue',
    'memory',
    'started',
  ] as const) {
    expect([name, isUnusual(name, usual, now)]).toEqual([name, false]);
  }
});

test('little room, a long wait, much memory, a failed backup and what was set aside are marked', () => {
  const { disk, queue, server, backups } = usual;
  const full = { ...usual, disk: { ...disk, free_bytes: 9e8 } };
  const slow = { ...usual, queue: { ...queue, oldest_waiting: '2026-11-21T11:40:00.000Z' } };
  const large = { ...usual, server: { ...server, memory_bytes: 2e9 } };
  expect(isUnusual('disk', full, now)).toBe(true);
  expect(isUnusual('queue', slow, now)).toBe(true);
  expect(isUnusual('memory', large, now)).toBe(true);
  const failed = { ...usual, backups: { ...backups, failure: 'The disk is full.' } };
  expect(isUnusual('backups', failed, now)).toBe(true);
  const aside = { ...usual, set_aside: { ...usual.set_aside, count: 1 } };
  expect(isUnusual('set_aside', aside, now)).toBe(true);
  const runner = {
    id: 1,
    name: 'Far away',
    version: '1.0.0',
    running: 0,
    last_seen: '2026-11-21T11:59:00.000Z',
    node: '24.0.0',
    git: '2.50',
    ansible: '',
    memory_bytes: 1,
    set_aside: { ...usual.set_aside, count: 2 },
  };
  const there = { ...usual, runners: [runner, { ...runner, id: 2, set_aside: null }] };
  expect(isUnusual('set_aside', there, now)).toBe(true);
  expect(asideOnRunners(there)).toEqual([
    { id: 1, name: 'Far away', count: 2, folder: '/data/set-aside' },
  ]);
});

test.each([
  [0, '0 byte'],
  [999, '999 byte'],
  [1_230_000, '1.2 MB'],
  [45_600_000_000, '46 GB'],
])('%d bytes are %s', (bytes, words) => {
  expect(sizeWords(bytes, 'en')).toBe(words);
});
