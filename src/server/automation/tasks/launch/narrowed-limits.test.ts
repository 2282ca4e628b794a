// Slow: the real Ansible reads inventories at random.
// Inventories, limits and choices at random: what Ansible selects with the narrowed limit, and what the
// callback of a run says of it, which ends a run that would reach other hosts.

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { askAnsible } from '../../../../../test/helpers/ansible-inventory.ts';
import { randomNumber, runSeed } from '../../../../../test/helpers/random.ts';
import { folder } from '../../../../../test/helpers/seed.ts';
import { narrowLimit } from './narrow-limit.ts';

const callbacks = fileURLToPath(new URL('../../../../runner/apps/callback', import.meta.url));

interface Case {
  /** The hosts by their groups. */
  groups: Record<string, string[]>;
  limit: string;
  /** The limit of which it was made, and the hosts to which it confines that. */
  narrowed: { limit: string; hosts: string[] };
}

interface Judged {
  selected: string[];
  beyond: string[];
}

/** What Ansible selects, and which of it the callback of runs refuses. */
const judge = (cases: Case[]): Judged[] =>
  askAnsible(
    { cases, callbacks },
    `
sys.path.insert(0, given['callbacks'])
from signalbox_progress import hosts_beyond, selected
from ansible.inventory.manager import InventoryManager
from ansible.parsing.dataloader import DataLoader
loader = DataLoader()

def judge(case):
    inventory = InventoryManager(loader=loader, sources=[])
    for group, hosts in case['groups'].items():
        inventory.add_group(group)
        for host in hosts:
            inventory.add_host(host, group=group)
    inventory.reconcile_inventory()
    inventory.subset(case['limit'])
    own = inventory._subset
    beyond = hosts_beyond(inventory, case['limit'], case['narrowed'])
    # The run goes on with the limit that it had.
    assert (inventory._subset or []) == (own or [])
    found = sorted(selected(inventory, case['limit']))
    return {'selected': found, 'beyond': beyond}

found = [judge(case) for case in given['cases']]`,
  ) as Judged[];

const random = randomNumber(runSeed);
const below = (count: number): number => Math.floor(random() * count);
const oneOf = <T>(all: readonly T[]): T => all[below(all.length)] as T;
const some = <T>(all: readonly T[], share = 0.5): T[] => all.filter(() => random() < share);

const words = (text: string): string[] => text.split(/\s+/);

const usualHosts = words(
  'web1 web2 web3 db1 db2 a.b x-1 2001:db8::1 fe80::2 ::1 10.0.0.1 10.0.0.2 e[1] größe',
);
const usualGroups = ['web', 'db', 'site-a', 'v6'];
/** Names that hosts and groups share. */
const shared = ['cache', 'db', 'web', 'web1', 'edge.x'];

function inventory(hosts: string[], groups: string[]): Case['groups'] {
  const there = some(hosts, 0.8);
  return Object.fromEntries([
    ...groups.map((group) => [group, some(there, 0.4)] as const),
    ['rest', there],
  ]);
}

const patterns = words(
  `web db cache web1 web2 db1 all * web* w?b* [wd]*1 web[12] web[0] web[1:] web[0:1] db[-1] all[2:4]
  ~web ~^(web|db)1$ ~.*1 edge.x 2001:db8::1 fe80::2 10.0.0.* a.b größe e[1] rest v6 unknown site-?`,
);

function limit(): string {
  const parts = Array.from({ length: 1 + below(3) }, () => {
    const sign = random() < 0.3 ? oneOf(['!', '&']) : '';
    return `${sign}${oneOf(patterns)}`;
  });
  const text = parts.join(oneOf([',', ',', ':', ', ']));
  return random() < 0.1 ? '' : text;
}

/** Cases in which the run had these hosts, and its inventory may have changed since. */
function casesOf(hosts: string[], groups: string[], count: number): Case[] {
  const before = Array.from({ length: count }, () => ({
    groups: inventory(hosts, groups),
    limit: limit(),
  }));
  const ran = judge(before.map((one) => ({ ...one, narrowed: { limit: '', hosts: [] } })));
  return before.flatMap(({ groups: old, limit: of }, index) => {
    const all = ran[index]?.selected ?? [];
    const chosen = some(all);
    const named = chosen.length > 0 ? chosen : all.slice(0, 1);
    if (named.length === 0) return [];
    return [old, inventory(hosts, groups)].map((now) => ({
      groups: now,
      limit: narrowLimit(of, named),
      narrowed: { limit: of, hosts: named },
    }));
  });
}

/** The hosts that each case may reach: the chosen ones, as far as the limit before selects them now. */
function allowed(cases: Case[]): string[][] {
  const wide = cases.map((one) => ({ ...one, limit: one.narrowed.limit }));
  return judge(wide).map(({ selected }, index) =>
    selected.filter((host) => cases[index]?.narrowed.hosts.includes(host)),
  );
}

test('a narrowed limit selects the chosen hosts of the limit, where no group has the name of a host', () => {
  const cases = casesOf(usualHosts, usualGroups, 800);
  const may = allowed(cases);
  const wrong = judge(cases)
    .map((one, index) => ({ ...cases[index], ...one, may: may[index] }))
    .filter(({ selected, may: hosts }) => JSON.stringify(selected) !== JSON.stringify(hosts));
  expect(wrong).toEqual([]);
  expect(cases.length).toBeGreaterThan(800);
});

test('a narrowed limit that would reach other hosts is found, where groups have the names of hosts', () => {
  const cases = casesOf(
    [...usualHosts, ...shared],
    [...usualGroups, 'cache', 'web1', 'edge.x'],
    800,
  );
  const may = allowed(cases);
  const judged = judge(cases);
  const missed = judged
    .map((one, index) => ({ ...cases[index], ...one, may: may[index] ?? [] }))
    .filter(
      ({ selected, beyond, may: hosts }) =>
        JSON.stringify(beyond) !== JSON.stringify(selected.filter((host) => !hosts.includes(host))),
    );
  expect(missed).toEqual([]);
  const refused = judged.filter(({ beyond }) => beyond.length > 0).length;
  // Most of them are narrowed all the same.
  expect(refused).toBeGreaterThan(0);
  expect(refused / cases.length).toBeLessThan(0.5);
});

test('ansible --list-hosts agrees', async () => {
  const path = join(await folder(), 'hosts.ini');
  writeFileSync(
    path,
    `web[1:3]
db
2001:db8::1

[web]
web[1:3]

[db]
web2
db1
`,
  );
  const listed = (text: string): string[] => {
    const args = ['all', '--list-hosts', '-i', path, ...(text ? [`--limit=${text}`] : [])];
    const out = execFileSync('ansible', args, { encoding: 'utf8', stdio: 'pipe' });
    return out
      .split('\n')
      .slice(1)
      .map((line) => line.trim())
      .filter(Boolean)
      .toSorted();
  };
  expect(listed('web[0:1],db')).toEqual(['db', 'web1', 'web2']);
  expect(listed(narrowLimit('web[0:1],db', ['db']))).toEqual(['db']);
  expect(listed(narrowLimit('web[0:1],db', ['web1']))).toEqual(['web1']);
  expect(listed(narrowLimit('all:!db1', ['2001:db8::1', 'web3']))).toEqual(['2001:db8::1', 'web3']);
  expect(listed(narrowLimit('~web[12]', ['web2']))).toEqual(['web2']);
});
