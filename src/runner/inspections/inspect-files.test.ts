// With the real git.

import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AppKind } from '#shared/apps.ts';
import { runnerSettings } from '../../../test/helpers/runner-settings.ts';
import { folder, git, gitRepository } from '../../../test/helpers/seed.ts';
import { noGitKeys } from '../api/run-secrets.ts';
import { InspectionRunner } from './inspection-runner.ts';

const play = '- hosts: all\n  tasks: []\n';

async function files(url: string, kind: AppKind, branch = 'main') {
  const config = await runnerSettings();
  const inspection = { kind: 'files', project_id: 1, repository_id: 1, url, branch } as const;
  const inspections = new InspectionRunner(config);
  const found = await inspections.run({ ...inspection, app_kind: kind }, noGitKeys, 60_000);
  if (found?.kind !== 'files') throw new Error(JSON.stringify(found));
  return found.seen;
}

test('finds the playbooks among the YAML files of a branch', async () => {
  const path = await gitRepository({
    'site.yml': play,
    'plays/named.yaml': '---\n# a play\n- name: Named\n  become: true\n  hosts: web\n',
    'plays/list.yml': '- hosts:\n    - web\n    - db\n',
    'plays/all.yml': '- ansible.builtin.import_playbook: ../site.yml\n',
    'hosts.yml': 'all:\n  hosts:\n    web1:\n  children:\n    db:\n      hosts: {}\n',
    'group_vars/all/site.yml': play,
    'roles/web/tasks/main.yml': '- name: x\n  hosts: y\n',
    '.github/workflow.yml': play,
    'requirements.yml': 'roles: []\n',
    'run.sh': 'echo\n',
  });
  const seen = await files(path, 'ansible');
  expect(seen.playbooks).toEqual([
    'plays/all.yml',
    'plays/list.yml',
    'plays/named.yaml',
    'site.yml',
  ]);
  expect(seen.others).toContain('hosts.yml');
  expect([seen.complete, seen.failure]).toEqual([true, null]);
});

test('finds folders of Terraform, and scripts by their endings', async () => {
  const path = await gitRepository({
    'infra/live/main.tf': '',
    'infra/notes.md': '',
    'jobs/report.py': '',
    'jobs/clean.sh': '',
  });
  const terraform = await files(path, 'terraform');
  expect([terraform.playbooks, terraform.others]).toEqual([['infra/live'], ['infra', 'jobs']]);
  expect((await files(path, 'python')).playbooks).toEqual(['jobs/report.py']);
  expect((await files(path, 'script')).playbooks).toEqual(['jobs/clean.sh']);
});

test('reads the wanted branch, and names links without following them', async () => {
  const path = await gitRepository({ 'site.yml': play });
  await git(path, 'switch', '--quiet', '--create', 'next');
  await symlink('/etc', join(path, 'linked'));
  await git(path, 'mv', 'site.yml', 'moved.yml');
  await git(path, 'add', '--all');
  await git(path, 'commit', '--quiet', '--message', 'Move');
  expect(await files(path, 'ansible', 'next')).toMatchObject({
    playbooks: ['moved.yml'],
    others: ['linked/'],
  });
  expect((await files(path, 'ansible')).playbooks).toEqual(['site.yml']);
});

test('says that a branch is not there, and knows nothing of a plain folder', async () => {
  const path = await gitRepository({ 'site.yml': play });
  const { failure } = await files(path, 'ansible', 'gone');
  expect(failure).toContain('no branch or tag "gone"');
  expect(await files(await folder(), 'ansible')).toEqual({
    playbooks: [],
    others: [],
    complete: false,
    failure: null,
  });
});
