// Slow: playbooks, scripts and virtual environments in several folders.
// Programs that start in a folder of the repository, as a person starts them there by hand.

import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { realPrograms } from '../../../test/helpers/programs.ts';
import { folder, git, gitRepository } from '../../../test/helpers/seed.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';
import type { TaskInput } from '../../../test/runner/given.ts';

/** Two sites, each with a configuration, an inventory, variables and a role of its own. */
const sites = {
  ...site('north', 'hosts.ini'),
  ...site('south', 'machines'),
  'ansible.cfg': '[defaults]\ninventory = nowhere\n',
};

function site(name: string, inventory: string): Record<string, string> {
  return {
    [`sites/${name}/ansible.cfg`]: `[defaults]\ninventory = ${inventory}\nroles_path = parts\n`,
    [`sites/${name}/${inventory}`]: `[${name}]\n${name}1 ansible_connection=local\n`,
    [`sites/${name}/group_vars/all.yml`]: `place: ${name}\n`,
    [`sites/${name}/parts/greet/tasks/main.yml`]:
      '- ansible.builtin.debug: { msg: "hello {{ place }} from {{ inventory_hostname }}" }\n',
    [`sites/${name}/plays/site.yml`]: '- hosts: all\n  gather_facts: false\n  roles: [greet]\n',
  };
}

const site1: TaskInput = { inventory: null, playbook: 'plays/site.yml' };
const recap = (text: string): string[] => text.match(/^\w+ +: ok=.*$/gm) ?? [];
// eslint-disable-next-line no-control-regex -- The colours of Ansible.
const plain = (text: string): string => text.replaceAll(/\u001B\[[\d;]*m/g, '');

test('Ansible finds in the working folder what it finds there by hand', async () => {
  const runner = await testRunner({ config: { path: realPrograms } });
  const repository = await gitRepository(sites);
  for (const name of ['north', 'south']) {
    const workingDirectory = `sites/${name}`;
    const { status, log } = await runner.run({ ...site1, repository, workingDirectory });
    expect([status, log]).toEqual(['success', log]);
    expect(log).toContain(`hello ${name} from ${name}1`);
    expect(log).toMatch(/^Inventory: (hosts.ini|machines), named by the configuration/m);
    const byHand = await promisify(execFile)('ansible-playbook', ['plays/site.yml'], {
      cwd: join(repository, workingDirectory),
      env: { ...process.env, PATH: realPrograms },
    });
    expect(recap(plain(log))).toEqual(recap(plain(byHand.stdout)));
    expect(recap(plain(log))).toHaveLength(1);
  }
});

test('a run that nothing names an inventory for has the implicit localhost only', async () => {
  const runner = await testRunner({ config: { path: realPrograms } });
  const given: TaskInput = { inventory: null, json: '{}' };
  const play =
    '- hosts: all\n  gather_facts: false\n  tasks:\n    - ansible.builtin.debug: { msg: ran on all }\n' +
    "- hosts: localhost\n  gather_facts: false\n  tasks:\n    - ansible.builtin.debug: { msg: \"hosts of {{ lookup('config', 'DEFAULT_HOST_LIST') }}\" }\n";
  const { status, log, commands } = await runner.run({ ...given, files: { 'play.yml': play } });
  expect([status, log]).toEqual(['success', log]);
  expect(log).toContain('Inventory: none, since neither the template nor the repository names one');
  expect(log).toContain('provided hosts list is empty');
  // Not those that the machine lists in /etc/ansible/hosts.
  expect(log).toMatch(/hosts of \[.*\/inventory/);
  expect(log).not.toContain('/etc/ansible/hosts');
  expect(log).not.toContain('ran on all');
  expect(commands.join()).not.toContain('--inventory');
  // Arguments and the environment of the template may name one too.
  const files = { 'play.yml': play, hosts: 'web1 ansible_connection=local\n' };
  for (const naming of [
    { arguments: ['-i', 'hosts'] },
    { arguments: ['--inventory=hosts'] },
    { env: '{"ANSIBLE_INVENTORY": "hosts"}' },
  ]) {
    const named = await runner.run({ ...given, ...naming, files });
    expect([named.status, named.log]).toEqual(['success', named.log]);
    expect(named.log).toContain('ran on all');
  }
});

test('scripts start in the working folder, and their paths begin there', async () => {
  const runner = await testRunner({ config: { path: realPrograms } });
  const files = { 'tools/run.sh': 'pwd -P; echo "$PWD"; cat near\n', 'tools/near': 'beside me\n' };
  const { status, log } = await runner.run({
    app: 'bash',
    playbook: 'run.sh',
    workingDirectory: './tools/',
    files,
  });
  expect([status, log]).toEqual(['success', expect.stringContaining('beside me')]);
  expect(log.match(/\/checkout\/tools$/gm)).toHaveLength(2);
});

test('a playbook or script that is not in the working folder is run from the top', async () => {
  const runner = await testRunner({ config: { path: realPrograms } });
  const play = (name: string) =>
    `- hosts: localhost\n  gather_facts: false\n  roles: [greet]\n  vars: { place: ${name} }\n`;
  const greet = '- ansible.builtin.debug: { msg: "{{ place }} and {{ nearby | default(0) }}" }\n';
  const files = {
    'site/inner/ansible.cfg': '[defaults]\nroles_path = parts\n',
    'site/inner/parts/greet/tasks/main.yml': greet,
    'site/inner/plays/both.yml': play('beside'),
    'plays/both.yml': play('top'),
    'plays/site.yml': play('top'),
    'plays/group_vars/all.yml': 'nearby: variables\n',
    'plays/run.sh': 'pwd -P; dirname "$0"\n',
    'plays/run.py': 'import os; print(os.getcwd())\n',
    'site/inner/-c': 'echo ran as a script\n',
  };
  const repository = await gitRepository(files);
  const run = (given: TaskInput) =>
    runner.run({ inventory: null, repository, workingDirectory: 'site/inner', ...given });
  for (const [playbook, words] of [
    ['plays/site.yml', 'top and variables'],
    ['plays/both.yml', 'beside and 0'],
  ] as const) {
    const { status, log } = await run({ playbook });
    expect([status, log]).toEqual(['success', expect.stringContaining(words)]);
  }
  const shell = await run({ app: 'bash', playbook: 'plays/run.sh' });
  expect(shell.log).toMatch(/\/checkout\/site\/inner\n.*\.\.\/\.\.\/plays$/ms);
  const python = await run({ app: 'python', playbook: 'plays/run.py' });
  expect(python.log).toMatch(/\/checkout\/site\/inner$/m);
  const option = await run({ app: 'bash', playbook: 'site/inner/-c' });
  expect([option.status, option.log]).toEqual([
    'success',
    expect.stringContaining('ran as a script'),
  ]);
  const gone = await run({ playbook: 'plays/gone.yml' });
  expect([gone.status, gone.log]).toEqual([
    'error',
    expect.stringContaining('The playbook "site/inner/plays/gone.yml" is not in the repository.'),
  ]);
});

test('scripts of vaults begin in the working folder', async () => {
  const runner = await testRunner();
  const repository = await gitRepository({ 'site/play.yml': 'echo "$@"\n' });
  const script = join(repository, 'site/secret.sh');
  await writeFile(script, '#!/bin/sh\necho from-$(basename "$PWD")\n', { mode: 0o755 });
  await git(repository, 'add', '--all');
  await git(repository, 'commit', '--quiet', '--message', 'Add the script');
  const vaults = [{ name: 'dev', script: 'secret.sh' }];
  const run = (workingDirectory: string, playbook: string) =>
    runner.run({ repository, vaults, workingDirectory, playbook });
  const { status, log } = await run('site', 'play.yml');
  expect([status, log]).toEqual(['success', expect.stringContaining('--vault-id=dev@')]);
  const atTop = await run('', 'site/play.yml');
  expect([atTop.status, atTop.log]).toEqual([
    'error',
    expect.stringContaining('The vault script "secret.sh" is not in the repository.'),
  ]);
});

test('a working folder that is missing, no folder or outside ends the run with a sentence', async () => {
  const runner = await testRunner();
  const outside = await folder();
  await writeFile(join(outside, 'play.yml'), 'echo leaked\n');
  const repository = await gitRepository({ 'play.yml': 'echo top\n', 'real/play.yml': 'pwd\n' });
  await mkdir(join(repository, 'links'));
  await symlink(outside, join(repository, 'links/away'));
  await symlink('../../../../../../../..', join(repository, 'links/up'));
  await symlink('../real', join(repository, 'links/real'));
  await git(repository, 'add', '--all');
  await git(repository, 'commit', '--quiet', '--message', 'Add links');
  for (const app of ['ansible', 'bash', 'python']) {
    const run = (workingDirectory: string) =>
      runner.run({ app, repository, workingDirectory, playbook: 'play.yml' });
    for (const [path, words] of [
      ['gone', 'The working folder "gone" is not in the repository.'],
      ['play.yml', 'The working folder "play.yml" is not a folder.'],
      ['links/away', 'The working folder "links/away" lies outside the repository.'],
      ['links/up', 'The working folder "links/up" lies outside the repository.'],
    ] as const) {
      const { status, log } = await run(path);
      expect([app, status, log]).toEqual([app, 'error', expect.stringContaining(words)]);
      expect(log).not.toContain('leaked');
    }
  }
  const inside = await runner.run({ repository, workingDirectory: 'links/real' });
  expect([inside.status, inside.log]).toEqual(['success', expect.stringMatching(/\/real$/m)]);
});

test('requirements are looked for above the playbook in the working folder too', async () => {
  const runner = await testRunner({ config: { path: realPrograms } });
  const { status, log } = await runner.run({
    files: {
      'sites/north/play.yml': '- hosts: all\n  gather_facts: false\n  roles: [demo.tools.greet]\n',
      'sites/requirements.yml': 'collections: [{ name: ../../tools, type: dir }]\n',
      'tools/galaxy.yml':
        'namespace: demo\nname: tools\nversion: 1.0.0\nreadme: README.md\nauthors: [A]\n',
      'tools/README.md': 'Tools\n',
      'tools/roles/greet/tasks/main.yml': '- ansible.builtin.debug: { msg: from the tools }\n',
    },
    workingDirectory: 'sites/north',
  });
  expect([status, log]).toEqual(['success', expect.stringContaining('from the tools')]);
  expect(log).toContain('sites/requirements.yml: installing collections');
});
