// What Ansible itself makes of limits decides.

import { expect, test } from 'vitest';
import { askAnsible } from '../../../../../test/helpers/ansible-inventory.ts';
import { randomNumber, runSeed } from '../../../../../test/helpers/random.ts';
import { splitLimit } from './split-limit.ts';

const splitByAnsible = (limits: string[]): string[][] =>
  askAnsible(
    limits,
    `from ansible.inventory.manager import split_host_pattern
found = [split_host_pattern(one) for one in given]`,
  ) as string[][];

test('splits limits as Ansible does, with its oddities', () => {
  const limits = [
    'a,b:c',
    'a:b',
    'a:22',
    'a[1:2]:b',
    'a[1:2]:22',
    'a[x:y:2]-b.c',
    'fe80::1',
    'fe80::1%eth0',
    'db1::web',
    '[::1]:22',
    '[web[1:3]]:22',
    '192.0.2.[0:255]:22',
    '192.0.2.256:db',
    '1:2:3:4:5:6:7:8',
    '::ffff:192.0.2.1',
    '0:0:0:0:0:ffff:1.2.3.4',
    'a_:b',
    '-a:22',
    'größe:22',
    ' a  b ',
    'a ]b[ c',
    '~(a|b):c',
    '!a:&b',
    '',
  ];
  const found = limits.map((limit) => [limit, splitLimit(limit)]);
  expect(found).toEqual(splitByAnsible(limits).map((parts, index) => [limits[index], parts]));
});

test('splits limits of any signs as Ansible does', () => {
  const random = randomNumber(runSeed);
  const signs = 'a f z 0 1 [ ] : . - _ ! & ~ * ? | ( ) ß @ / % \\ , 25 [1:3] [a:c] :: a';
  const pieces = [...signs.split(' '), ' ', '\t'];
  const limits = Array.from({ length: 20_000 }, () =>
    Array.from(
      { length: 1 + Math.floor(random() * 9) },
      () => pieces[Math.floor(random() * pieces.length)],
    ).join(''),
  );
  const asked = splitByAnsible(limits);
  const others = limits.filter(
    (limit, index) => JSON.stringify(splitLimit(limit)) !== JSON.stringify(asked[index]),
  );
  expect(others).toEqual([]);
});
