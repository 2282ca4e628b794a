import { expect, test } from 'vitest';
import { nextSort, sorted } from './sort.ts';

const columns = [
  { key: 'name', sortBy: ({ name }: { name: string; size: number }) => name },
  { key: 'size', sortBy: ({ size }: { name: string; size: number }) => size },
];
const rows = [
  { name: 'web10', size: 2 },
  { name: 'Web2', size: 10 },
  { name: 'db', size: 1 },
];
const names = (sort: string) => sorted(rows, columns, sort).map(({ name }) => name);

test('sorts texts as people count, and numbers by size', () => {
  expect(names('name')).toEqual(['db', 'Web2', 'web10']);
  expect(names('-name')).toEqual(['web10', 'Web2', 'db']);
  expect(names('size')).toEqual(['db', 'web10', 'Web2']);
});

test('keeps the order where nothing, or a column that is not there, is asked for', () => {
  expect(names('')).toEqual(['web10', 'Web2', 'db']);
  expect(names('colour')).toEqual(['web10', 'Web2', 'db']);
});

test('a heading goes up, down and back', () => {
  expect(nextSort('', 'name')).toBe('name');
  expect(nextSort('name', 'name')).toBe('-name');
  expect(nextSort('-name', 'name')).toBe('');
  expect(nextSort('-name', 'size')).toBe('size');
});

test('a heading of times begins with the newest', () => {
  expect(nextSort('', 'created', true)).toBe('-created');
  expect(nextSort('-created', 'created', true)).toBe('created');
  expect(nextSort('created', 'created', true)).toBe('');
});
