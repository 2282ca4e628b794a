// Requirements with the real ansible-galaxy, from sources on this machine.

import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { environments } from '#shared/api/environments.ts';
import { repositories } from '#shared/api/repositories.ts';
import { testApp, type TestApp } from '../helpers/app.ts';
import { commitFiles, folder, seedProject, type Seed } from '../helpers/seed.ts';
import { launch, logText, untilFinished } from '../helpers/tasks.ts';

const collection = {
  'tools/galaxy.yml':
    'namespace: demo\nname: tools\nversion: 1.0.0\nreadme: README.md\nauthors: [A]\n',
  'tools/README.md': 'Tools\n',
  'tools/roles/greet/tasks/main.yml': '- ansible.builtin.debug: { msg: collection one }\n',
};

async function roleArchive(): Promise<string> {
  const place = await folder();
  const role = join(place, 'polite');
  await mkdir(join(role, 'tasks'), { recursive: true });
  await mkdir(join(role, 'meta'));
  await writeFile(
    join(role, 'tasks/main.yml'),
    '- ansible.builtin.debug: { msg: from the role }\n',
  );
  await writeFile(join(role, 'meta/main.yml'), 'galaxy_info: { author: A }\ndependencies: []\n');
  execFileSync('tar', ['czf', join(place, 'polite.tar.gz'), '-C', place, 'polite']);
  return join(place, 'polite.tar.gz');
}

async function realApp(): Promise<TestApp> {
  return testApp({ runner: true, config: { path: String(process.env['PATH']) } });
}

async function run(app: TestApp, projectId: number, templateId: number) {
  const task = await launch(app.admin, projectId, { template_id: templateId });
  const { status } = await untilFinished(app.admin, task);
  return { status, log: await logText(app.admin, task) };
}

/** A project whose playbook needs a role and a collection. */
async function needy(app: TestApp, files: Record<string, string> = {}): Promise<Seed> {
  return seedProject(app.admin, {
    ...collection,
    ...files,
    'requirements.yml': [
      'collections: [{ name: ./tools, type: dir }]',
      `roles: [{ name: polite, src: "file://${await roleArchive()}" }]`,
      '',
    ].join('\n'),
    'play.yml': '- hosts: all\n  gather_facts: false\n  roles: [polite, demo.tools.greet]\n',
  });
}

test('installs roles and collections of one file, and keeps them', async () => {
  const app = await realApp();
  const seed = await needy(app);
  const { id } = await seed.template();
  const first = await run(app, seed.projectId, id);
  expect([first.status, first.log]).toEqual(['success', first.log]);
  expect(first.log).toContain('requirements.yml: installing collections');
  expect(first.log).toContain('from the role');
  expect(first.log).toContain('collection one');
  const second = await run(app, seed.projectId, id);
  expect(second.log).toContain('requirements.yml: roles are installed already');
  expect(second.log).toContain('collection one');
  // What lies in the repository is installed anew when it changes.
  const params = { project_id: seed.projectId, repository_id: seed.repositoryId };
  const { git_url: path } = await app.admin.call(repositories.one, { params });
  const main = 'tools/roles/greet/tasks/main.yml';
  await commitFiles(path, { [main]: '- ansible.builtin.debug: { msg: collection two }\n' });
  expect((await run(app, seed.projectId, id)).log).toContain('collection two');
});

test('finds what it has installed although the repository sets other paths', async () => {
  const app = await realApp();
  const paths = '[defaults]\nroles_path = ./nowhere\ncollections_path = ./nowhere\n';
  const seed = await needy(app, { 'ansible.cfg': paths });
  const { id } = await seed.template();
  const { status, log } = await run(app, seed.projectId, id);
  expect([status, log]).toEqual(['success', log]);
  expect(log).toContain('from the role');
  expect(log).toContain('collection one');
});

test.each<[name: string, env: Record<string, string>, playbook: string, said: string]>([
  [
    'ANSIBLE_ROLES_PATH',
    { ANSIBLE_ROLES_PATH: '/nowhere', ANSIBLE_COLLECTIONS_PATH: '/nowhere' },
    'play.yml',
    'from the role',
  ],
  ['ANSIBLE_CONFIG', { ANSIBLE_CONFIG: 'settings/ansible.cfg' }, 'rude.yml', 'from the own role'],
])(
  'finds what it has installed, and what is there, although %s names other paths',
  async (_name, env, playbook, said) => {
    const app = await realApp();
    const seed = await needy(app, {
      'settings/ansible.cfg': '[defaults]\nroles_path = own\ncollections_path = ../nowhere\n',
      'settings/own/rude/tasks/main.yml': '- ansible.builtin.debug: { msg: from the own role }\n',
      'rude.yml':
        '- hosts: all\n  gather_facts: false\n  roles: [polite, demo.tools.greet, rude]\n',
    });
    const params = { project_id: seed.projectId };
    const { id: environment_id } = await app.admin.call(environments.create, {
      params,
      body: { name: 'Paths', json: '{}', env: JSON.stringify(env) },
    });
    const { id } = await seed.template({ environment_id, playbook });
    const { status, log } = await run(app, seed.projectId, id);
    expect([status, log]).toEqual(['success', log]);
    expect(log).toContain('from the role');
    expect(log).toContain('collection one');
    expect(log).toContain(said);
  },
);

test('a requirement that cannot be installed fails the task, and the log says why', async () => {
  const app = await realApp();
  const seed = await seedProject(app.admin, {
    'roles/requirements.yml': '- { name: gone, src: "file:///nowhere/gone.tar.gz" }\n',
    'play.yml': '- hosts: all\n  roles: [gone]\n',
  });
  const { id } = await seed.template();
  const { status, log } = await run(app, seed.projectId, id);
  expect(status).toBe('error');
  expect(log).toContain('roles/requirements.yml: installing roles');
  expect(log).toContain('gone');
  expect(log).not.toContain('Command: ansible-playbook');
});
