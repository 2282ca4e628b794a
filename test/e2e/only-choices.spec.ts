// Slow: every form that chooses is opened.
// Forms choose what there is only one of, offer the files of a repository, and make what is missing.

import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Template } from '#shared/api/templates.ts';
import { addProject, addResources, choose } from '../helpers/console-project.ts';
import { expectAccessible, useConsole } from '../helpers/console.ts';
import { sshKeygen } from '../helpers/private-keys.ts';

const console = useConsole();
const { call, enter } = console;

const play = '- hosts: all\n  tasks: []\n';
const field = (within: Locator, name: string) =>
  within.getByRole('combobox', { name, exact: true });
const valueOf = (within: Locator, name: string) => () => field(within, name).inputValue();

test('a template of a small project is made by its name and its playbook', async () => {
  const project = await addProject(console, 'One of each');
  const { environment_id: second } = await addResources(console, project, {
    'site.yml': play,
    'plays/db.yml': play,
    'a.txt': 'x',
  });
  // A new project has an environment already.
  await call('DELETE', `/api/project/${project}/environment/${second}`);
  const page = await enter();
  await page.goto(`${console.server.address}/project/${project}/templates?edit=new`);
  const form = page.getByRole('form', { name: 'New Template' });
  await expect.poll(valueOf(form, 'Repository')).toBe('Playbooks');
  await expect.poll(valueOf(form, 'Inventory')).toBe('This server');
  await expect.poll(valueOf(form, 'Environment')).toBe('Empty');
  // What the form has chosen is nothing that somebody could lose.
  await form.getByRole('button', { name: 'Cancel' }).click();
  await form.waitFor({ state: 'hidden' });

  await page.goto(`${console.server.address}/project/${project}/templates?edit=new`);
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Small');
  await field(form, 'Playbook filename').click();
  await page.getByRole('option', { name: 'plays/db.yml' }).waitFor();
  await field(form, 'Playbook filename').fill('sites.yml');
  await form.getByText('“sites.yml” is not in this branch.').waitFor();
  await field(form, 'Playbook filename').fill('db');
  await page.getByRole('option', { name: 'plays/db.yml' }).click();
  await expectAccessible(page);

  await form.getByRole('button', { name: 'New environment' }).click();
  const made = page.getByRole('dialog', { name: 'New environment' });
  await made.getByRole('textbox', { name: 'Name', exact: true }).fill('Made here');
  await made.getByRole('button', { name: 'Create' }).click();
  await made.waitFor({ state: 'hidden' });
  await expect.poll(valueOf(form, 'Environment')).toBe('Made here');
  await form.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Template Small created').waitFor();
  const [template] = await call<Template[]>('GET', `/api/project/${project}/templates`);
  expect(template).toMatchObject({ name: 'Small', playbook: 'plays/db.yml' });
});

test('a template asks for inventory and environment, and takes None for an answer', async () => {
  const project = await addProject(console, 'One more');
  await addResources(console, project, { 'run.sh': 'echo\n' });
  const page = await enter();
  await page.goto(`${console.server.address}/project/${project}/templates?edit=new`);
  const form = page.getByRole('form', { name: 'New Template' });
  await expect.poll(valueOf(form, 'Inventory')).toBe('This server');
  await choose(form, 'App', 'Bash');
  await expect.poll(valueOf(form, 'Inventory')).toBe('');
  await expect.poll(valueOf(form, 'Environment')).toBe('');
  await expect.poll(valueOf(form, 'Repository')).toBe('Playbooks');

  // Nothing is left empty in silence: somebody chooses "None".
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Hostless');
  await field(form, 'Script filename').fill('run.sh');
  await form.getByRole('button', { name: 'Create' }).click();
  await form.getByText('Choose an inventory, or None').waitFor();
  await form.getByText('Choose an environment, or None').waitFor();
  await choose(form, 'Inventory', 'None');
  await choose(form, 'Environment', 'None');
  await form.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Template Hostless created').waitFor();
  const [template] = await call<Template[]>('GET', `/api/project/${project}/templates`);
  expect(template).toMatchObject({ inventory_id: null, environment_id: null, environment_ids: [] });

  // What was answered is still the answer when the form is opened again.
  await page.goto(`${console.server.address}/project/${project}/templates?edit=${template?.id}`);
  const again = page.getByRole('form', { name: 'Edit template' });
  await expect.poll(valueOf(again, 'Inventory')).toBe('None');
  await expect.poll(valueOf(again, 'Environment')).toBe('None');
});

test('a repository takes its default branch and the only key', async () => {
  const project = await addProject(console, 'New repository');
  const { repository_id: id } = await addResources(console, project, { 'site.yml': play });
  const { git_url } = await call<{ git_url: string }>(
    'GET',
    `/api/project/${project}/repositories/${id}`,
  );
  const keys = await call<{ id: number; name: string }[]>('GET', `/api/project/${project}/keys`);
  const unused = keys.find(({ name }) => name !== 'No key');
  if (unused) await call('DELETE', `/api/project/${project}/keys/${unused.id}`);
  const page = await enter();
  await page.goto(`${console.server.address}/project/${project}/repositories?edit=new`);
  const dialog = page.getByRole('dialog', { name: 'New repository' });
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Second');
  await dialog.getByLabel('Git URL').fill(`file://${git_url}`);
  await expect.poll(valueOf(dialog, 'Key')).toBe('No key');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Repository Second created').waitFor();
  await page.getByRole('row', { name: 'Second' }).getByText('main').waitFor();
});

test('the address of a repository decides which key is proposed', async () => {
  const project = await addProject(console, 'Which key');
  const ssh = { login: '', passphrase: '', private_key: await sshKeygen() };
  const key = { name: 'Deploy key', type: 'ssh', ssh };
  await call('POST', `/api/project/${project}/keys`, key);
  const page = await enter();
  await page.goto(`${console.server.address}/project/${project}/repositories?edit=new`);
  const dialog = page.getByRole('dialog', { name: 'New repository' });
  const url = dialog.getByLabel('Git URL');
  for (const [address, proposed] of [
    ['https://example.com/team/code.git', 'None'],
    ['git@example.com:team/code.git', 'Deploy key'],
    ['/srv/code', 'None'],
  ] as const) {
    await url.fill(address);
    await expect.poll(valueOf(dialog, 'Key')).toBe(proposed);
  }
  // What somebody has chosen stays.
  await choose(dialog, 'Key', 'Deploy key');
  await url.fill('https://example.com/team/code.git');
  await expect.poll(() => dialog.getByText('https', { exact: true }).count()).toBe(1);
  expect(await valueOf(dialog, 'Key')()).toBe('Deploy key');
});

test('a repository that cannot be asked for its default branch says so and needs one', async () => {
  const project = await addProject(console, 'Unreachable');
  const page = await enter();
  await page.goto(`${console.server.address}/project/${project}/repositories?edit=new`);
  const dialog = page.getByRole('dialog', { name: 'New repository' });
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Far');
  // Nothing listens on the first port.
  await dialog.getByLabel('Git URL').fill('https://127.0.0.1:1/team/playbooks.git');
  await expect.poll(valueOf(dialog, 'Key')).not.toBe('');
  await dialog.getByRole('button', { name: 'Create' }).click();
  const branch = dialog.getByRole('combobox', { name: 'Branch' });
  const message = dialog.getByText('Cannot detect the default branch');
  await message.waitFor();
  expect(await message.textContent()).toMatch(/127\.0\.0\.1.*Enter the branch/s);
  expect(await dialog.getByText('Branch is required').count()).toBe(0);
  await branch.fill('main');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Repository Far created').waitFor();
});
