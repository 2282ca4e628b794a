import { expect, test } from 'vitest';
import { barsOfHost, noColumns, withPage } from './result-columns.ts';

const start = Date.parse('2026-01-01T00:00:00.000Z');

test('pages are joined by host, in the order of time', () => {
  const first = withPage(noColumns, {
    hosts: ['one', 'two'],
    start: '2026-01-01T00:00:00.000Z',
    host: [0, 1, 0],
    section: [2, 2, 3],
    state: ['ok', 'failed', 'changed'],
    begin: [100, 200, 50],
    duration_ms: [10, 20, 30],
    next: 4,
  });
  const second = withPage(first, {
    hosts: ['two', 'one'],
    start: '2026-01-01T00:00:01.000Z',
    host: [0, 1],
    section: [4, 4],
    state: ['skipped', 'ok'],
    begin: [5, null],
    duration_ms: [0, 1],
    next: null,
  });
  expect(second.count).toBe(5);
  expect(barsOfHost(second, 'one')).toEqual([
    { begin: start + 50, end: start + 80, state: 'changed', section: 3 },
    { begin: start + 100, end: start + 110, state: 'ok', section: 2 },
  ]);
  expect(barsOfHost(second, 'two').map(({ state }) => state)).toEqual(['failed', 'skipped']);
  expect(barsOfHost(second, 'three')).toEqual([]);
  expect(noColumns.hosts.size).toBe(0);
});
