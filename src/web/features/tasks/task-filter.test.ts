import { expect, test } from 'vitest';
import { nameOf, periodNames, periodOf, toQuery } from './task-filter.ts';

const now = new Date(2026, 10, 21, 15, 0);

test.each([
  ['today', '2026-11-21', undefined],
  ['yesterday', '2026-11-20', '2026-11-20'],
  ['week', '2026-11-15', undefined],
  ['month', '2026-10-23', undefined],
] as const)('%s begins on %s', (name, from, to) => {
  expect(periodOf(name, now)).toEqual({ from, to });
});

test('a period has its name only on the days that it means', () => {
  for (const name of periodNames) expect(nameOf(periodOf(name, now), now)).toBe(name);
  expect(nameOf(periodOf('today', now), new Date(2026, 10, 23))).toBeNull();
  expect(nameOf({}, now)).toBeNull();
});

test('the last day belongs to the period', () => {
  const query = toQuery({ from: '2026-11-20', to: '2026-11-20', status: 'unfinished' });
  expect(query).toMatchObject({ state: 'unfinished' });
  expect(Date.parse(query.to ?? '') - Date.parse(query.from ?? '')).toBe(24 * 3600_000);
});
