// An inventory file that is a link: Ansible reads the variables of groups beside the link, as it
// does when a person runs it, and not beside the file that the link leads to.

import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { realPrograms } from '../../../test/helpers/programs.ts';
import { git, gitRepository } from '../../../test/helpers/seed.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';

test('variables come from beside the inventory as it is named', async () => {
  const runner = await testRunner({ config: { path: realPrograms } });
  const path = await gitRepository({
    'play.yml':
      '- hosts: all\n  gather_facts: false\n  tasks:\n    - ansible.builtin.debug: { msg: "in {{ place }}" }\n',
    'live/hosts': 'localhost ansible_connection=local\n',
    'live/group_vars/all.yml': 'place: live\n',
    'trial/group_vars/all.yml': 'place: trial\n',
  });
  await mkdir(join(path, 'trial'), { recursive: true });
  await symlink('../live/hosts', join(path, 'trial/hosts'));
  await git(path, 'add', '--all');
  await git(path, 'commit', '--quiet', '--message', 'Link the inventory');
  const inventory = { type: 'file', inventory: 'trial/hosts' } as const;
  const { status, log } = await runner.run({ repository: path, inventory });
  expect([status, log]).toEqual(['success', expect.stringContaining('in trial')]);
});
