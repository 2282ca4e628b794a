import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { slow, slowFirst } from './slow-first.ts';

const [first = '', second = ''] = slow;

const inOrder = (...files: string[]): string[] =>
  slowFirst(files, (file) => {
    const [project = '', path = ''] = file.split(' ');
    return { project, path };
  });

test('slow tests begin first in each project, and the others stay in their order', () => {
  const order = inOrder('a b', `a ${second}`, `a ${first}`, 'a a', `c ${first}`, 'c z');
  expect(order).toEqual([`a ${first}`, `a ${second}`, 'a b', 'a a', `c ${first}`, 'c z']);
});

test('browser tests begin beside the others', () => {
  const order = inOrder('sqlite a', 'sqlite b', 'postgres c', 'browser x', `browser ${first}`);
  expect(order).toEqual([`browser ${first}`, 'sqlite a', 'browser x', 'sqlite b', 'postgres c']);
});

test('every test file that is listed as slow exists', () => {
  const root = join(import.meta.dirname, '..');
  expect(slow.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
