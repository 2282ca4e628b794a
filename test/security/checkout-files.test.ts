// Only on SQLite: hostile files meet the runner, which knows no database.
// Slow: programs read hostile files as users of the machine.
// A runner reads the files of a repository as the user of its task, and never outside the checkout.
// Links in these repositories lead to a file that only root may read, and to a file without an end.

import { chmod, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { apps } from '#shared/api/apps.ts';
import { environments } from '#shared/api/environments.ts';
import { repositories } from '#shared/api/repositories.ts';
import { testApp } from '../helpers/app.ts';
import { appWithProject } from '../helpers/app-with-project.ts';
import { realPrograms } from '../helpers/programs.ts';
import { folder, git, seedProject } from '../helpers/seed.ts';
import { launch, logText, untilFinished } from '../helpers/tasks.ts';
import { makeRunUsers } from '../helpers/unix-user.ts';

const standIn = fileURLToPath(new URL('../fixtures/stand-in/terraform', import.meta.url));

/** A project with these files and links, whose tasks have a user of their own. */
async function setUp(files: Record<string, string>, links: Record<string, string>) {
  const config = { runAs: makeRunUsers(2), path: realPrograms };
  const { app, seed } = await appWithProject(files, { runner: true, config });
  const params = { project_id: seed.projectId, repository_id: seed.repositoryId };
  const { git_url: path } = await app.admin.call(repositories.one, { params });
  await chmod(path, 0o755);
  for (const [name, target] of Object.entries(links)) await symlink(target, join(path, name));
  await git(path, 'add', '--all');
  await git(path, 'commit', '--quiet', '--allow-empty', '--message', 'Add links');
  return { app, seed };
}

type Fields = Parameters<Awaited<ReturnType<typeof seedProject>>['template']>[0];

async function run({ app, seed }: Awaited<ReturnType<typeof setUp>>, fields: Fields = {}) {
  const template = await seed.template(fields);
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  const { status } = await untilFinished(app.admin, task, 120);
  return { status, log: await logText(app.admin, task) };
}

const canary = '/canary-of-root';

async function secretFile(): Promise<string> {
  const path = join(await folder(), 'secret.cfg');
  await writeFile(path, `[defaults]\ncallback_plugins = ${canary}\n`, { mode: 0o600 });
  return path;
}

const printsPlaces = `- hosts: all
  gather_facts: false
  tasks:
    - ansible.builtin.debug:
        msg: "callbacks {{ lookup('env', 'ANSIBLE_CALLBACK_PLUGINS') }}."
`;

test('Ansible: a linked configuration and linked requirements tell nothing of their targets', async () => {
  const secret = await secretFile();
  const links = { 'ansible.cfg': secret, 'requirements.yml': '/dev/zero', roles: '/root' };
  const project = await setUp({ 'play.yml': printsPlaces }, links);
  const { status, log } = await run(project);
  expect([status, log]).toEqual(['success', log]);
  expect(log).not.toContain(canary);
  expect(log).toContain('callbacks .');
  const refused = ['ansible.cfg', 'requirements.yml', 'roles/requirements.yml'];
  for (const path of refused) {
    expect(log).toContain(`${path} is not read: it leads out of the repository.`);
  }
});

test('Ansible: a configuration that the environment names is read as the user of the task', async () => {
  const secret = await secretFile();
  const project = await setUp({ 'play.yml': printsPlaces }, {});
  const { projectId: project_id, environmentId: environment_id } = project.seed;
  await project.app.admin.call(environments.update, {
    params: { project_id, environment_id },
    body: { name: 'Variables', env: JSON.stringify({ ANSIBLE_CONFIG: secret }) },
  });
  const { log } = await run(project);
  expect(log).not.toContain(canary);
});

test('Terraform: a note of the backend that is a link to a device is not read', async () => {
  const files = { 'main.tf': '# input: one\n', '.terraform/modules.json': '{}' };
  const project = await setUp(files, { '.terraform/terraform.tfstate': '/dev/zero' });
  const params = { app_id: 'terraform' };
  await project.app.admin.call(apps.update, { params, body: { path: standIn } });
  const { status, log } = await run(project, {
    app: 'terraform',
    playbook: '',
    inventory_id: null,
  });
  expect(status).toBe('error');
  expect(log).toContain('Where the state is kept cannot be found out');
  expect(log).toContain('.terraform/terraform.tfstate is not read');
});

test('Python: linked requirements are not read', async () => {
  const secret = await secretFile();
  const links = { 'requirements.txt': secret };
  const project = await setUp({ 'play.yml': 'print("it ran")\n' }, links);
  const { status, log } = await run(project, { app: 'python' });
  expect([status, log]).toEqual(['success', log]);
  expect(log).toContain('requirements.txt is not read: it leads out of the repository.');
});

test('a file of requirements that is too large is left alone, and the log says so', async () => {
  const app = await testApp({ runner: true, config: { path: realPrograms } });
  const files = { 'play.yml': printsPlaces, 'requirements.yml': '- a\n'.repeat(2_000_000) };
  const seed = await seedProject(app.admin, files);
  const { status, log } = await run({ app, seed });
  expect([status, log]).toEqual(['success', log]);
  expect(log).toContain('requirements.yml is not read: it is larger than 256 KiB.');
});
