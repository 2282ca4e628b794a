import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { slow, slowFirst } from './slow-first.ts';

const [first = '', second = ''] = slow;

test('slow tests begin first in each project, and the others stay in their order', () => {
  const files = ['a b', `a ${second}`, `a ${first}`, 'a a', `c ${first}`, 'c z'];
  const order = slowFirst(files, (file) => {
    const [project = '', path = ''] = file.split(' ');
    return { project, path };
  });
  expect(order).toEqual([`a ${first}`, `a ${second}`, 'a b', 'a a', `c ${first}`, 'c z']);
});

test('every test that is called slow is there', () => {
  const root = join(import.meta.dirname, '..');
  expect(slow.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
