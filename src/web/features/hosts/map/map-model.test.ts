import { expect, test } from 'vitest';
import type { HostMap } from '#shared/api/hosts.ts';
import { groupsOf, type MapHost } from './map-model.ts';
import { columnsFor, indexAfter, indexAt, PITCH, positionOf, shapesOf } from './map-shapes.ts';

const host = (name: string, outcome: MapHost['outcome'], groups: number[] = []): MapHost => ({
  name,
  outcome,
  run: null,
  groups,
});

const mapOf = (hosts: MapHost[]): HostMap => ({
  hosts,
  runs: [],
  groups: [
    { name: 'production', kind: 'group' },
    { name: 'web', kind: 'group' },
    { name: 'db', kind: 'group' },
  ],
  has_more: false,
});

test('each host is in its smallest group, and groups with failures come first', () => {
  const groups = groupsOf(
    mapOf([
      host('web-1', 'ok', [0, 1]),
      host('web-2', 'ok', [0, 1]),
      host('db-1', 'failed', [0, 2]),
      host('lone', null),
    ]),
  );
  const found = groups.map(({ name, bad, hosts }) => [name, bad, hosts.map((one) => one.name)]);
  expect(found).toEqual([
    ['db', 1, ['db-1']],
    ['', 0, ['lone']],
    ['web', 0, ['web-1', 'web-2']],
  ]);
});

test('failures come first, the newest before older ones', () => {
  const hosts = [
    host('a', 'ok'),
    host('b', 'failed'),
    host('c', 'unreachable'),
    host('d', 'rescued'),
    host('e', null),
    host('f', 'failed'),
  ];
  const [group] = groupsOf(mapOf(hosts));
  expect(group?.hosts.map(({ name }) => name)).toEqual(['b', 'c', 'f', 'd', 'a', 'e']);
});

test('a point leads to the square that is drawn there', () => {
  const columns = columnsFor(5000, 900);
  for (const index of [0, columns - 1, columns, 4999]) {
    const { x, y } = positionOf(index, columns);
    expect(indexAt(x + 3, y + 3, columns, 5000)).toBe(index);
  }
  expect(indexAt(columns * PITCH + 1, 0, columns, 5000)).toBeNull();
  expect(indexAt(0, PITCH * 9999, columns, 5000)).toBeNull();
});

test('arrow keys move by a square or a row', () => {
  const keys = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Enter'];
  expect(keys.map((key) => indexAfter(key, 20, 10))).toEqual([19, 21, 10, 30, null]);
});

test('all squares of a result are one path, and failures have a sign', () => {
  const hosts = Array.from({ length: 1000 }, (_, index) => host(`h${index}`, 'failed'));
  const shapes = shapesOf([...hosts, host('fine', 'ok')], 40);
  expect(shapes.map(({ result, signs }) => [result, signs === ''])).toEqual([
    ['failed', false],
    ['ok', true],
  ]);
});
