// Slow: Ansible runs many times.
// A folder of inventories with scripts that fail or cannot be executed, with the real Ansible.

import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { realPrograms } from '../../../test/helpers/programs.ts';
import { git, gitRepository } from '../../../test/helpers/seed.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';

const inventory = { type: 'file', inventory: 'hosts' } as const;
const longTime = { timeout: 240_000 };

const play =
  '- hosts: all\n  gather_facts: false\n  connection: local\n' +
  '  tasks: [{ debug: { msg: "{{ inventory_hostname }} {{ color }} is here" } }]\n';

const usual = {
  'play.yml': play,
  'hosts/plain': '[web]\nfrom-ini\n',
  'hosts/more.yml': 'all: { hosts: { from-yaml: } }\n',
  'hosts/lists.sh':
    '#!/bin/sh\necho \'{"db": {"hosts": ["from-script"]}, "_meta": {"hostvars": {}}}\'\n',
  'hosts/group_vars/all.yml': 'color: red\n',
  'hosts/group_vars/make.sh': '#!/bin/sh\nfalse\n',
  'hosts/old.sh.bak': '#!/bin/sh\nfalse\n',
  // Ansible warns of what it cannot read, and goes on.
  'hosts/LICENSE': 'You may: use it.\n{}\n',
};

/** A repository with scripts that may be executed, and one that may not. */
async function repositoryOf(more: Record<string, string>, inert: string[] = []): Promise<string> {
  const files = { ...usual, ...more };
  const path = await gitRepository(files);
  const scripts = Object.keys(files).filter((name) => name.endsWith('.sh'));
  for (const name of scripts.filter((one) => !inert.includes(one))) {
    await chmod(join(path, name), 0o755);
  }
  await git(path, 'commit', '--quiet', '--all', '--message', 'Make the scripts executable');
  return path;
}

const hostsIn = (log: string): string[] =>
  [...log.matchAll(/"msg": "(\S+) red is here"/g)].map(([, host = '']) => host).toSorted();

const all = ['from-ini', 'from-script', 'from-yaml'];

test('lists, scripts and YAML in one folder are read as Ansible reads them', longTime, async () => {
  const runner = await testRunner({ config: { path: realPrograms } });
  for (const failWithoutHosts of [false, true]) {
    const repository = await repositoryOf({});
    const { status, log } = await runner.run({ repository, inventory, failWithoutHosts });
    expect([status, hostsIn(log)]).toEqual(['success', all]);
  }
});

test('the text of a script that lists nothing is no list of hosts', longTime, async () => {
  const runner = await testRunner({ config: { path: realPrograms } });
  const failing = await repositoryOf({ 'hosts/fails.sh': '#!/bin/sh\nfalse\n' });
  const inert = await repositoryOf({ 'hosts/inert.sh': '#!/bin/sh\nfalse\n' }, ['hosts/inert.sh']);
  for (const [repository, name] of [
    [failing, 'fails.sh'],
    [inert, 'inert.sh'],
  ] as const) {
    const { status, log } = await runner.run({ repository, inventory });
    expect([status, hostsIn(log)]).toEqual(['success', all]);
    expect(log.replaceAll(/\s+/g, '')).toMatch(`hosts/${name}asaninventorysource`);
    const strict = await runner.run({ repository, inventory, failWithoutHosts: true });
    expect([strict.status, hostsIn(strict.log)]).toEqual(['error', []]);
    expect(strict.log.replaceAll(/\s+/g, '')).toMatch(`hosts/${name}`);
  }
});

test('plugins and folders of plugins that the repository names stay', longTime, async () => {
  const runner = await testRunner({ config: { path: realPrograms } });
  const own =
    'from ansible.plugins.inventory import BaseInventoryPlugin\n' +
    'DOCUMENTATION = "name: own\\nshort_description: x\\ndescription: [x]\\n"\n' +
    'class InventoryModule(BaseInventoryPlugin):\n' +
    '    NAME = "own"\n' +
    '    def verify_file(self, path): return path.endswith(".own")\n' +
    '    def parse(self, inventory, loader, path, cache=True): inventory.add_host("from-own")\n';
  const repository = await repositoryOf({
    'ansible.cfg':
      '[defaults]\ninventory_plugins = plugins\n[inventory]\nenable_plugins = own,\n  script,\n  ini\n',
    'plugins/own.py': own,
    'hosts/a.own': '#!/bin/false\n',
    'hosts/fails.sh': '#!/bin/sh\nfalse\n',
  });
  const { status, log } = await runner.run({ repository, inventory });
  // Without the plugin for YAML nothing reads the third file.
  expect([status, hostsIn(log)]).toEqual(['success', ['from-ini', 'from-own', 'from-script']]);
});
