// Slow: the real ansible-inventory reads one inventory after the other.
// With the real ansible-inventory.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { InventoryPreview, InventoryText } from '#shared/api/inventories.ts';
import { runnerSettings } from '../../../test/helpers/runner-settings.ts';
import { folder } from '../../../test/helpers/seed.ts';
import type { RunnerConfig } from '../config/runner-config.ts';
import { noGitKeys } from '../api/run-secrets.ts';
import { InspectionRunner } from './inspection-runner.ts';

type Kind = InventoryText['type'];

const previewer =
  (config: RunnerConfig) =>
  async (type: Kind, inventory: string): Promise<InventoryPreview> => {
    const inspection = { kind: 'inventory', type, inventory } as const;
    const found = await new InspectionRunner(config).run(inspection, noGitKeys, 60_000);
    if (found?.kind !== 'inventory') throw new Error(JSON.stringify(found));
    return found.seen;
  };

test('shows the hosts and groups of both kinds of inventory, and what each host gets', async () => {
  const config = await runnerSettings();
  const preview = previewer(config);
  const ini =
    '[web]\nweb[1:2].example.com port=80\n[all_of_it:children]\nweb\n[web:vars]\nport=8080\n';
  expect(await preview('static', ini)).toMatchObject({
    parsed: true,
    host_count: 2,
    hosts: [
      { name: 'web1.example.com', variables: { port: 80 } },
      { name: 'web2.example.com', variables: { port: 80 } },
    ],
    groups: [
      { name: 'all_of_it', host_count: 0, children: ['web'] },
      { name: 'web', host_count: 2, hosts: ['web1.example.com', 'web2.example.com'] },
    ],
    messages: [],
  });
  const yaml =
    'all:\n  hosts:\n    alone:\n  children:\n    db:\n      hosts:\n        db1: {size: 3}\n';
  expect(await preview('static-yaml', yaml)).toMatchObject({
    parsed: true,
    hosts: [{ name: 'db1', variables: { size: 3 } }, { name: 'alone' }],
  });
  const many = await preview('static', 'host[1:2000]\n');
  expect([many.host_count, many.hosts.length]).toEqual([2000, 200]);
  const left = await readdir(join(config.dataDir, 'runs'));
  expect(left).toEqual([]);
});

test('says in the words of Ansible why it cannot read one, and where', async () => {
  const preview = previewer(await runnerSettings());
  const wrong = await preview('static', '[web]\nweb1\n[db:children]\nnobody\n');
  expect(wrong).toMatchObject({ parsed: false, hosts: [], groups: [] });
  expect(wrong.messages).toEqual([
    'Failed to parse inventory with ini plugin: inventory:4: Section [db:children] includes undefined group: nobody',
  ]);
  const yaml = await preview('static-yaml', 'all: [');
  expect(yaml.parsed).toBe(false);
  expect(yaml.messages.join()).toMatch(/parse/i);
  expect(yaml.messages.join()).not.toMatch(/\/dev\/shm|\/tmp/);
});

test('nothing in an inventory is run: no script, no plugin, no template', async () => {
  const preview = previewer(await runnerSettings());
  const mark = join(await folder(), 'touched');
  const lookup = `{{ lookup("pipe", "touch ${mark}") }}`;
  const texts: [Kind, string][] = [
    ['static', `#!/bin/sh\ntouch ${mark}\necho '{}'\n`],
    ['static', `host x='${lookup.replaceAll('"', '\\"')}'\n`],
    ['static-yaml', `all: {hosts: {host: {x: '${lookup}', ansible_host: '${lookup}'}}}\n`],
    ['static-yaml', `plugin: generator\nhosts: {name: '${lookup}'}\n`],
    [
      'static-yaml',
      `plugin: constructed\nstrict: true\ncompose: {x: lookup("pipe", "touch ${mark}")}\n`,
    ],
    [
      'static-yaml',
      `all: {hosts: {host: {x: !!python/object/apply:os.system ["touch ${mark}"]}}}\n`,
    ],
    ['static-yaml', `#!/bin/sh\ntouch ${mark}\n`],
  ];
  for (const [type, text] of texts) await preview(type, text);
  expect(await readdir(join(mark, '..'))).toEqual([]);
});

test('an inventory that is too large is ended and told so', async () => {
  const preview = previewer(await runnerSettings());
  const huge = await preview('static', 'host[1:99999999]\n');
  expect(huge.parsed).toBe(false);
  expect(huge.messages.length).toBeGreaterThan(0);
  const bomb = ['a: &a [x,x,x,x,x,x,x,x,x,x]'];
  for (const name of 'bcdef') {
    const before = String.fromCharCode(name.charCodeAt(0) - 1);
    bomb.push(`${name}: &${name} [${Array(10).fill(`*${before}`).join()}]`);
  }
  const text = `all: {hosts: {host: {x: {${bomb.join(', ')}}}}}\n`;
  expect((await preview('static-yaml', text)).parsed).toBe(false);
});
