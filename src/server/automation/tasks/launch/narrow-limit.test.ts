// Slow: the real Ansible reads inventories.
// What Ansible itself makes of narrowed limits, asked of its own reader of inventories.

import { expect, test } from 'vitest';
import { askAnsible } from '../../../../../test/helpers/ansible-inventory.ts';
import { isReserved, limitOf, narrowLimit } from './narrow-limit.ts';

type Groups = Record<string, string[]>;

/** The hosts that Ansible selects with each limit. */
function selected(cases: { groups: Groups; limit: string }[]): string[][] {
  return askAnsible(
    cases,
    `
from ansible.errors import AnsibleError
from ansible.inventory.manager import InventoryManager
from ansible.parsing.dataloader import DataLoader

def select(case):
    inventory = InventoryManager(loader=DataLoader(), sources=[])
    for group, hosts in case['groups'].items():
        if group not in inventory.groups:
            inventory.add_group(group)
        for host in hosts:
            inventory.add_host(host, group=group)
    inventory.reconcile_inventory()
    try:
        inventory.subset(case['limit'])
        return sorted(host.name for host in inventory.get_hosts('all'))
    except AnsibleError:
        # Ansible ends before its first play.
        return []

found = [select(case) for case in given]`,
  ) as string[][];
}

const farm: Groups = {
  web: ['web1', 'web2', 'web3', 'web10'],
  db: ['db1', 'db2'],
  // The name of a host and of a group with other hosts.
  cache: ['cache', 'db1', 'web2'],
  v6: ['2001:db8::1', '2001:db8::2', '::1'],
};

const odd: Groups = {
  odd: [
    'a,b',
    'a',
    'b',
    'c:d',
    'c',
    'd',
    'e[1]',
    'e1',
    'f g',
    'f',
    '-x',
    '!x',
    '&x',
    '@x',
    '~x',
    'x',
    '~^(x)\\Z',
    'w*',
    'ww',
    'q?',
    'qq',
    'm.n',
    'mxn',
    'größe',
    'grosse',
    '日本',
    '😀',
    "o'k",
    '"',
    '$(id)',
    '\\d',
    '5',
    '{{ 1 }}',
    'z\n',
    'z',
    '(a|b)',
    '%s',
    'tab\there',
  ],
};

const limits = [
  '',
  'all',
  '*',
  'web',
  'web,db',
  'web:db',
  'web1,web2,db1',
  'web1:db1',
  'web[0:1]',
  'web[1:],db',
  'web[0]:db[1]',
  'web*',
  'web?',
  'w*1,d*',
  'web,!web1',
  'web:!web1',
  'all:!db',
  '!db',
  '!db,!web3',
  '&cache,web',
  'web:db:&cache',
  'web,db,&cache,!web2',
  '~(web|db)1',
  '~web[12],db1',
  'web[12]',
  '[wd]*1',
  'cache',
  'cache,web1',
  'v6',
  '2001:db8::1',
  'v6,!2001:db8::2',
  'v6:web',
  ' web , db ',
  'web db',
  'web,,db,',
  'unknown,web',
];

test('the narrowed limit selects the chosen hosts within the limit, and no other one', () => {
  const before = selected(limits.map((limit) => ({ groups: farm, limit })));
  const cases = limits.flatMap((limit, index) => {
    const within = before[index] ?? [];
    const choices = [...within.map((host) => [host]), within.slice(0, 2), within.slice(1), within];
    return choices
      .filter((hosts) => hosts.length > 0)
      .map((hosts) => ({ groups: farm, of: limit, hosts, limit: narrowLimit(limit, hosts) }));
  });
  expect(cases.length).toBeGreaterThan(200);
  const after = selected(cases);
  const shown = cases.map(({ of, limit }, index) => [of, limit, after[index]]);
  expect(shown).toEqual(cases.map(({ of, limit, hosts }) => [of, limit, hosts.toSorted()]));
});

test('hosts that have left the limit since are not reached', () => {
  const moved: Groups = {
    web: ['web1', 'web4', 'db2'],
    db: ['db1'],
    cache: ['cache', 'web4'],
    v6: ['2001:db8::2'],
    other: ['web2', 'web3', 'web10', '2001:db8::1'],
  };
  const before = selected(limits.map((limit) => ({ groups: farm, limit })));
  const now = selected(limits.map((limit) => ({ groups: moved, limit })));
  const cases = limits.flatMap((of, index) =>
    (before[index] ?? []).map((host) => {
      const allowed = [host].filter((one) => now[index]?.includes(one));
      return { groups: moved, of, limit: narrowLimit(of, [host]), allowed };
    }),
  );
  const after = selected(cases);
  expect(cases.map(({ of, limit }, index) => [of, limit, after[index]])).toEqual(
    cases.map(({ of, limit, allowed }) => [of, limit, allowed]),
  );
});

test('a limit with which Ansible ends stays one with which it ends', () => {
  const tooFar = narrowLimit('web2,web[12]', ['web2']);
  const groups = { web: ['web1'], other: ['web2'] };
  expect(selected([tooFar].map((limit) => ({ groups, limit })))).toEqual([[]]);
  // As long as the group is empty, Ansible passes over the pattern.
  expect(selected([{ groups: { web: [], other: ['web2'] }, limit: tooFar }])).toEqual([['web2']]);
});

test('each odd name selects its own host only', () => {
  const names = Object.values(odd).flat();
  for (const of of ['', 'odd', 'odd,!unknown']) {
    const cases = names.map((name) => ({ groups: odd, limit: narrowLimit(of, [name]) }));
    expect(selected(cases)).toEqual(names.map((name) => [name]));
  }
  const limit = narrowLimit('odd', names);
  expect(selected([{ groups: odd, limit }])).toEqual([names.toSorted(byCodePoint)]);
});

// As Python sorts, which is not by UTF-16.
const byCodePoint = (one: string, other: string): number =>
  Buffer.compare(Buffer.from(one), Buffer.from(other));

test('hosts that are gone select nothing', () => {
  const groups = { web: ['web1'] };
  const of = ['web2', 'web*', '~web', 'web[1]', 'we'].map((name) => ({
    groups,
    limit: narrowLimit('', [name]),
  }));
  expect(selected(of)).toEqual(of.map(() => []));
});

test('a narrowed limit is narrowed again', () => {
  const once = narrowLimit('web,db', ['web1', 'db1', 'db2']);
  const twice = narrowLimit(once, ['db1']);
  const other = narrowLimit(once, ['web2']);
  expect(selected([twice, other].map((limit) => ({ groups: farm, limit })))).toEqual([['db1'], []]);
});

test('five thousand hosts', () => {
  const hosts = Array.from({ length: 5000 }, (_, index) => `node-${index}.example.com`);
  const chosen = hosts.filter((_, index) => index % 3 === 0);
  const [found] = selected([{ groups: { nodes: hosts }, limit: narrowLimit('nodes', chosen) }]);
  expect(found).toEqual(chosen.toSorted());
});

test.each([
  [['-l', 'web'], 'web'],
  [['-lweb'], 'web'],
  [['-l=web'], 'web'],
  [['--limit', 'web'], 'web'],
  [['--lim=web', '--limit=db'], 'db'],
  [['-vvCl', 'web'], 'web'],
  [['-bldb'], 'db'],
  [['-l', 'web', '--limit='], ''],
  [['--list-hosts', '-e', 'limit=x', '--', '-l', 'web'], ''],
])('finds the limit among the arguments %s', (args, limit) => {
  expect(limitOf(args)).toBe(limit);
});

test('the names of groups that every inventory has are no names of hosts', () => {
  expect(['all', 'ungrouped', 'web', 'all1'].filter(isReserved)).toEqual(['all', 'ungrouped']);
});
