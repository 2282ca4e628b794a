import { expect, test } from 'vitest';
import { readInventory } from './static-inventory.ts';

const read = (type: string, text: string) => Object.fromEntries(readInventory(type, text));

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

test('the hosts of an INI inventory are read, with ranges and all their groups', () => {
  const db = ['db', 'site'];
  expect(read('static', ini)).toEqual({
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

test('a YAML inventory is read in the same way, by the indentation of its keys', () => {
  // The groups `site` and `db` contain each other.
  const expected = {
    localhost: [],
    'web-1.example.com': ['db', 'site', 'web'],
    'web-2.example.com': ['db', 'site', 'web'],
    'web-3': ['db', 'site', 'web'],
    'db-1': ['db', 'site'],
  };
  expect(read('static-yaml', yaml)).toEqual(expected);
  expect(read('static-yaml', 'web: {hosts: {a: {}, b: }}')).toEqual({});
});

test.each([
  ['static-yaml', 'a: [b'],
  ['static-yaml', 'just text'],
  ['static-yaml', 'all:\n  hosts:\n    - a\n'],
  ['static', ''],
  ['file', 'inventories/production'],
  ['terraform-workspace', 'default'],
])('a text of type %s without hosts names none: %j', (type, text) => {
  expect(read(type, text)).toEqual({});
});

test('an inventory of millions of hosts and of groups in each other is read in bounds', () => {
  expect(readInventory('static', 'web[1:99999999]-[1:99999999]').size).toBe(20_000);
  expect(readInventory('static', `x[1:9]${'[1:9]'.repeat(30)}\nlast`).size).toBe(20_000);
  expect(readInventory('static', '"a [1:999999999]"\n[1:999999999]x[b:a]').size).toBe(0);
  const all = Array.from({ length: 3000 }, (_, index) => `g${index}`);
  const text = all.map((name) => `[${name}:children]\n${all.slice(0, 60).join('\n')}`).join('\n');
  const hosts = readInventory('static', `[g1]\na\n${text}`);
  expect(hosts.get('a')).toHaveLength(50);
});
