// Slow: the real programs of every app are started.
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { realPrograms } from '../../../test/helpers/programs.ts';
import { makeGreetingWheel } from '../../../test/helpers/python-wheel.ts';
import { quickPython } from '../../../test/helpers/quick-python.ts';
import { commitFiles, folder, git, gitRepository } from '../../../test/helpers/seed.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';
import { readAnsible, readTerraform } from './tools.ts';

test('a run of Ansible records its version, and those of roles and collections', async () => {
  const runner = await testRunner({ config: { path: realPrograms } });
  const place = await folder();
  await mkdir(join(place, 'polite/tasks'), { recursive: true });
  await mkdir(join(place, 'polite/meta'));
  await writeFile(join(place, 'polite/tasks/main.yml'), '[]\n');
  await writeFile(join(place, 'polite/meta/main.yml'), 'galaxy_info: { author: A }\n');
  const archive = join(place, 'polite.tar.gz');
  execFileSync('tar', ['czf', archive, '-C', place, 'polite']);
  const repository = await gitRepository({
    'tools/galaxy.yml':
      'namespace: demo\nname: tools\nversion: 1.2.0\nreadme: README.md\nauthors: [A]\n',
    'tools/README.md': 'Tools\n',
    'requirements.yml': [
      'collections: [{ name: ./tools, type: dir }]',
      `roles: [{ name: polite, src: "file://${archive}", version: v3 }]`,
      '',
    ].join('\n'),
    'play.yml': '- hosts: all\n  gather_facts: false\n  roles: [polite]\n',
  });
  for (const installRequirements of ['when_changed', 'when_changed', 'always'] as const) {
    const { task, status, log } = await runner.run({ repository, installRequirements });
    expect([status, log]).toEqual(['success', log]);
    expect(task.tools).toEqual({
      programs: [{ name: 'ansible', version: '2.0.0' }],
      requirements: [
        { kind: 'collection', name: 'demo.tools', version: '1.2.0' },
        { kind: 'role', name: 'polite', version: 'v3' },
      ],
    });
  }
});

test('a run of Python records its version and its packages', async () => {
  const runner = await testRunner();
  const repository = await folder();
  await git(repository, 'init', '--quiet');
  makeGreetingWheel(repository);
  await commitFiles(repository, {
    'main.py': 'import greeting\n',
    'requirements.txt': './greeting-1.0-py3-none-any.whl\n',
  });
  const { task } = await runner.run({
    app: 'python',
    program: { path: quickPython(), args: [] },
    playbook: 'main.py',
    repository,
  });
  const { programs = [], requirements = [] } = task.tools ?? {};
  expect(programs).toEqual([{ name: 'python', version: expect.stringMatching(/^3\.\d+/) }]);
  expect(requirements).toContainEqual({ kind: 'package', name: 'greeting', version: '1.0' });
});

test('a program that is none of its app, or tells nothing, keeps no run from its end', async () => {
  const runner = await testRunner();
  const { status, task } = await runner.run({ files: { 'play.yml': 'echo hello\n' }, app: 'bash' });
  expect([status, task.tools]).toEqual(['success', null]);
});

test('versions are read from what programs print', () => {
  const text = [
    'ansible [core 2.18.1]',
    '  config file = /etc/ansible/ansible.cfg',
    '  python version = 3.12.3 (main, Feb  4 2025, 14:48:35) [GCC 13.3.0] (/usr/bin/python3)',
    '  jinja version = 3.1.2',
  ].join('\n');
  expect(readAnsible(text)).toEqual([
    { name: 'ansible', version: '2.18.1' },
    { name: 'python', version: '3.12.3' },
    { name: 'jinja', version: '3.1.2' },
  ]);
  expect(readAnsible('ansible 2.9.27\n')).toEqual([{ name: 'ansible', version: '2.9.27' }]);
  expect(readAnsible('sh: 0: Illegal option --')).toEqual([]);
  const printed = JSON.stringify({
    terraform_version: '1.9.5',
    platform: 'linux_amd64',
    provider_selections: { 'registry.terraform.io/hashicorp/local': '2.5.1' },
    terraform_outdated: false,
  });
  expect(readTerraform('tofu', printed)).toEqual({
    programs: [{ name: 'tofu', version: '1.9.5' }],
    requirements: [
      { kind: 'provider', name: 'registry.terraform.io/hashicorp/local', version: '2.5.1' },
    ],
  });
  expect(readTerraform('tofu', 'nothing')).toEqual({ programs: [], requirements: [] });
});
