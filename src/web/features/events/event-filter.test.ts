import { expect, test } from 'vitest';
import { isCode, toQuery } from './event-filter.ts';

test('the last day belongs to the period, to its end', () => {
  const { from, to } = toQuery({ from: '2026-11-30', to: '2026-11-30' });
  expect(new Date(from ?? '').toString()).toMatch(/Nov 30 2026 00:00:00/);
  expect(new Date(to ?? '').toString()).toMatch(/Dec 01 2026 00:00:00/);
});

test('what is not asked for is not sent', () => {
  expect(Object.values(toQuery({})).filter((value) => value !== undefined)).toEqual([]);
});

test.each([
  ['task.started', true],
  ['task.', true],
  ['task', false],
  ['Task.Started', false],
])('%j is a code or begins several: %s', (text, is) => {
  expect(isCode(text)).toBe(is);
});
