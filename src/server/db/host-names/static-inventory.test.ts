import { expect, test } from 'vitest';
import { readInventory } from './static-inventory.ts';

const read = async (type: string, text: string) =>
  Object.fromEntries(await readInventory(type, text));

const ini = `
# of the data centre
localhost ansible_connection=local
[web]
web-1.example.com ansible_host=10.0.0.1 # the first
web-2.example.com:2222
"quoted host" x=1
[db] # those with disks
db-[01:03]   ; three
[a:c:2]-rack
[::1]:22
fe80::1
[web:vars]
user=deploy
[all:children]
site
[site:children]
web
db
[odd:unknown]
nobody
[1:]
[3:1]-none
`;

test('the hosts of an INI inventory are read, with ranges and all their groups', async () => {
  const db = ['db', 'site'];
  expect(await read('static', ini)).toEqual({
    localhost: [],
    'web-1.example.com': ['site', 'web'],
    'web-2.example.com': ['site', 'web'],
    'db-01': db,
    'db-02': db,
    'db-03': db,
    'a-rack': db,
    'c-rack': db,
    '::1': db,
    'fe80::1': db,
  });
});

const yaml = `
all:
  hosts:
    localhost:
      ansible_connection: local
  vars: {nobody: {hosts: x}}
  children:
    site:
      children:
        web:
          hosts:
            web-[1:2].example.com:
            "web-3":  # quoted
              motd: |
                hosts:
                  none: at all
        db: &db
          hosts:
            db-1:
              secret: !vault |
                $ANSIBLE_VAULT
          children:
            site:
`;

test('a YAML inventory is read in the same way, by the indentation of its keys', async () => {
  // The groups `site` and `db` contain each other.
  const expected = {
    localhost: [],
    'web-1.example.com': ['db', 'site', 'web'],
    'web-2.example.com': ['db', 'site', 'web'],
    'web-3': ['db', 'site', 'web'],
    'db-1': ['db', 'site'],
  };
  expect(await read('static-yaml', yaml)).toEqual(expected);
  expect(await read('static-yaml', 'web: {hosts: {a: {}, b: }}')).toEqual({});
});

test.each([
  ['static-yaml', 'a: [b'],
  ['static-yaml', 'just text'],
  ['static-yaml', 'all:\n  hosts:\n    - a\n'],
  ['static', ''],
  ['file', 'inventories/production'],
  ['terraform-workspace', 'default'],
])('a text of type %s without hosts names none: %j', async (type, text) => {
  expect(await read(type, text)).toEqual({});
});

test('an inventory of millions of hosts and of groups in each other is read in bounds', async () => {
  expect((await readInventory('static', 'web[1:99999999]-[1:99999999]')).size).toBe(20_000);
  expect((await readInventory('static', `x[1:9]${'[1:9]'.repeat(30)}\nlast`)).size).toBe(20_000);
  expect((await readInventory('static', '"a [1:999999999]"\n[1:999999999]x[b:a]')).size).toBe(0);
  const all = Array.from({ length: 3000 }, (_, index) => `g${index}`);
  const text = all.map((name) => `[${name}:children]\n${all.slice(0, 60).join('\n')}`).join('\n');
  const hosts = await readInventory('static', `[g1]\na\n${text}`);
  expect(hosts.get('a')).toHaveLength(50);
});

test('a pattern of very many ranges takes time for its size only', async () => {
  const before = process.threadCpuUsage().user;
  expect((await readInventory('static', `x${'[1:9]'.repeat(100_000)}`)).size).toBe(0);
  const many = Array.from({ length: 200 }, (_, index) => `x${index}${'[1:9]'.repeat(100)}`);
  const hosts = await readInventory('static', many.join('\n'));
  expect([...hosts.keys()].slice(8, 10)).toEqual([`x0${'1'.repeat(99)}9`, `x0${'1'.repeat(98)}21`]);
  expect(hosts.size).toBe(20_000);
  expect((process.threadCpuUsage().user - before) / 1000).toBeLessThan(3000);
});

test('a large inventory is read in pieces, between which others are answered', async () => {
  const text = Array.from({ length: 100_000 }, (_, index) => `host-${index}`).join('\n');
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  await readInventory('static', text);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(2);
});
