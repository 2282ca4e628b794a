// An inventory file that is a link: Ansible reads the variables of groups beside the link, as it
// does when a person runs it, and not beside the file that the link leads to.

import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inventories } from '#shared/api/inventories.ts';
import { repositories } from '#shared/api/repositories.ts';
import { testApp } from '../helpers/app.ts';
import { git, seedProject } from '../helpers/seed.ts';
import { launch, logText, untilFinished } from '../helpers/tasks.ts';

test('variables come from beside the inventory as it is named', async () => {
  const app = await testApp({ runner: true, config: { path: String(process.env['PATH']) } });
  const seed = await seedProject(app.admin, {
    'play.yml':
      '- hosts: all\n  gather_facts: false\n  tasks:\n    - ansible.builtin.debug: { msg: "in {{ place }}" }\n',
    'live/hosts': 'localhost ansible_connection=local\n',
    'live/group_vars/all.yml': 'place: live\n',
    'trial/group_vars/all.yml': 'place: trial\n',
  });
  const params = { project_id: seed.projectId };
  const { git_url: path } = await app.admin.call(repositories.one, {
    params: { ...params, repository_id: seed.repositoryId },
  });
  await mkdir(join(path, 'trial'), { recursive: true });
  await symlink('../live/hosts', join(path, 'trial/hosts'));
  await git(path, 'add', '--all');
  await git(path, 'commit', '--quiet', '--message', 'Link the inventory');
  const { id: inventory_id } = await app.admin.call(inventories.create, {
    params,
    body: { name: 'Trial', type: 'file', inventory: 'trial/hosts', ssh_key_id: seed.keyId },
  });
  const { id } = await seed.template({ inventory_id });
  const task = await launch(app.admin, seed.projectId, { template_id: id });
  expect((await untilFinished(app.admin, task)).status).toBe('success');
  expect(await logText(app.admin, task)).toContain('in trial');
});
