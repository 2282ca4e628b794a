// A project as a whole: changed, backed up, restored, deleted.

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import type { Project } from '#shared/api/projects.ts';
import {
  callApi,
  openDemo,
  expectAccessible,
  expectNoComplaints,
  useConsole,
} from '../helpers/console.ts';

const console = useConsole();
const { open, signIn } = console;

const openSettings = async (): Promise<Page> => {
  const page = await openDemo(console);
  await page.goto(`${console.server.address}/project/1/settings`);
  await page.getByRole('button', { name: 'Back up' }).waitFor();
  return page;
};

const projects = (page: Page) => callApi<Project[]>(page, 'get', '/api/projects');

test('a project is changed, and its backup makes another one', async () => {
  const page = await openSettings();
  await page.getByLabel('Project name').waitFor();
  await page.getByLabel('Max number of parallel tasks').fill('1.5');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Must be integer').waitFor();
  await page.getByLabel('Max number of parallel tasks').fill('2');
  await page.getByLabel('Project name').fill('Demo of everything');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Project Demo of everything saved').waitFor();
  await page.getByRole('button', { name: 'Choose a project' }).getByText('Demo of').waitFor();
  expect((await projects(page))[0]).toMatchObject({ max_parallel_tasks: 2 });

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Back up' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^backup_1_\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.json$/);
  const text = await readFile(await download.path(), 'utf8');
  expect(JSON.parse(text)).toMatchObject({ format: 'signalbox', version: 1 });

  await page.getByRole('button', { name: 'Restore a project' }).click();
  const dialog = page.getByRole('dialog', { name: 'Restore project' });
  const choose = (name: string, content: string) =>
    dialog
      .getByLabel('Choose a backup file')
      .and(page.locator('input'))
      .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(content) });
  await choose('notes.txt', 'no backup');
  await dialog.getByText('notes.txt is no backup').waitFor();
  const broken = JSON.parse(text) as { templates: { inventory: string }[] };
  for (const template of broken.templates) template.inventory = 'Nowhere';
  await choose('broken.json', JSON.stringify(broken));
  await dialog.getByText('templates.0.inventory').waitFor();
  await expectAccessible(page);
  expect(await projects(page)).toHaveLength(1);
  await choose('backup.json', text);
  await dialog.getByText('These keys need their secrets').waitFor();
  await dialog.getByRole('link', { name: 'Demo vault' }).waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Open project' }).click();
  await page.waitForURL('**/project/2/history');
  expectNoComplaints();
});

test('a project is deleted by whoever types its name, and another one is opened', async () => {
  const page = await openSettings();
  const { id } = await callApi<Project>(page, 'post', '/api/projects', { name: 'Short lived' });
  await page.goto(`${console.server.address}/project/${id}/settings`);
  await page.getByRole('button', { name: 'Delete project' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete project' });
  const action = dialog.getByRole('button', { name: 'Delete permanently' });
  await dialog.getByLabel('Type Short lived to confirm').fill('Short');
  await expect.poll(() => action.isDisabled()).toBe(true);
  await expectAccessible(page);
  await dialog.getByLabel('Type Short lived to confirm').fill('Short lived');
  await action.click();
  await page.getByText('Project Short lived deleted').waitFor();
  await page.waitForURL(new RegExp(`/project/(?!${id}/)\\d+/history`));
  expect((await projects(page)).map((project) => project.id)).not.toContain(id);
  expectNoComplaints();
});

test('who may not create projects is offered neither a new nor a restored one', async () => {
  const admin = await openSettings();
  const user = { username: 'owner', name: 'Olga Owner', email: 'owner@example.com' };
  const password = 'a password of theirs';
  const { id } = await callApi<{ id: number }>(admin, 'post', '/api/users', { ...user, password });
  await callApi(admin, 'post', '/api/project/1/users', { user_id: id, role: 'owner' });
  await admin.getByRole('button', { name: 'Choose a project' }).click();
  await admin.getByRole('menuitem', { name: 'Restore project' }).click();
  await admin.getByRole('dialog', { name: 'Restore project' }).waitFor();

  const page = await open('/', { colorScheme: 'dark' });
  await signIn(page, 'owner', password);
  await page.waitForURL('**/project/1/**');
  await page.goto(`${console.server.address}/project/1/settings`);
  await page.getByRole('button', { name: 'Back up' }).waitFor();
  expect(await page.getByRole('button', { name: 'Restore a project' }).count()).toBe(0);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Choose a project' }).click();
  await page.getByRole('menuitem', { name: 'Demo' }).waitFor();
  expect(await page.getByRole('menuitem', { name: /New project|Restore/ }).count()).toBe(0);
  expectNoComplaints();
});
