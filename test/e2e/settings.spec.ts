// Slow: projects are seldom changed, restored or deleted.
// A project as a whole: changed, backed up, restored, deleted.

import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import type { Project } from '#shared/api/projects.ts';
import type { Runner } from '#shared/api/runners.ts';
import { expectAccessible, useConsole } from '../helpers/console.ts';
import { useDemo } from '../helpers/demo.ts';
import { contentOf } from '../helpers/download.ts';
import { openAs } from '../helpers/guest.ts';

const console = useConsole();
const demo = useDemo(console);

const openSettings = async (): Promise<Page> => {
  const page = await demo.enter('settings');
  await page.getByRole('button', { name: 'Back up' }).waitFor();
  return page;
};

const projects = () => demo.call<Project[]>('GET', '/api/projects');

test('a project is changed, and its backup makes another one', async () => {
  const page = await openSettings();
  await page.getByLabel('Project name').waitFor();
  await page.getByLabel('Max number of parallel tasks').fill('1.5');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Must be integer').waitFor();
  await page.getByLabel('Max number of parallel tasks').fill('2');
  const name = `Everything ${demo.id}`;
  await page.getByLabel('Project name').fill(name);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(`Project ${name} saved`).waitFor();
  await page.getByRole('button', { name: 'Choose a project' }).getByText(name).waitFor();
  const before = await projects();
  expect(before.find(({ id }) => id === demo.id)).toMatchObject({ name, max_parallel_tasks: 2 });
  const limit = page.getByLabel('Max number of parallel tasks');
  await limit.fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(async () => (await projects()).find(({ id }) => id === demo.id)?.max_parallel_tasks)
    .toBe(0);
  await page.reload();
  await page.getByLabel('Project name').waitFor();
  expect(await limit.inputValue()).toBe('');

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Back up' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^backup_\d+_\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.json$/);
  expect(download.suggestedFilename()).toContain(`_${demo.id}_`);
  const text = await contentOf(download);
  expect(JSON.parse(text)).toMatchObject({ format: 'signalbox', version: 1 });

  await page.getByRole('button', { name: 'Restore project' }).click();
  const dialog = page.getByRole('dialog', { name: 'Restore project' });
  const choose = (file: string, content: string) =>
    dialog
      .getByLabel('Choose a backup file')
      .and(page.locator('input'))
      .setInputFiles({ name: file, mimeType: 'application/json', buffer: Buffer.from(content) });
  await choose('notes.txt', 'no backup');
  await dialog.getByText('notes.txt is not a backup').waitFor();
  await choose('package.json', '{"name": "shop"}');
  await dialog.getByText('package.json is not a project backup').waitFor();
  const broken = JSON.parse(text) as { templates: { inventory: string }[] };
  for (const template of broken.templates) template.inventory = 'Nowhere';
  await choose('broken.json', JSON.stringify(broken));
  await dialog.getByText('templates.0.inventory').waitFor();
  await expectAccessible(page);
  expect(await projects()).toHaveLength(before.length);
  await choose('backup.json', text);
  await dialog.getByText('These keys need their secrets').waitFor();
  await dialog.getByRole('link', { name: 'Demo vault' }).waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Open project' }).click();
  const known = before.map(({ id }) => id);
  const restored = (await projects()).filter(({ id }) => !known.includes(id));
  expect(restored).toMatchObject([{ name }]);
  await page.waitForURL(`**/project/${restored[0]?.id}/history`);
});

test('a project gets a runner of its own, which only its settings and administrators show', async () => {
  const page = await openSettings();
  const section = page.getByRole('region', { name: 'Runners of this project' });
  await section.getByText('This project has no runners').waitFor();
  await section.getByRole('button', { name: 'New runner' }).click();
  const form = page.getByRole('dialog', { name: 'New runner' });
  await form.getByLabel('Name').fill('Own lab');
  await form.getByRole('button', { name: 'Create' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set up Own lab' });
  expect(await dialog.getByLabel('Token', { exact: true }).innerText()).toMatch(/^sbr_/);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  const row = section.getByRole('row').filter({ hasText: 'Own lab' });
  await row.getByText('New', { exact: true }).waitFor();
  await expectAccessible(page);
  const [runner] = await demo.call<Runner[]>('GET', demo.api('runners'));
  expect(runner).toMatchObject({ name: 'Own lab', project_id: expect.any(Number) as number });
  await page.goto(`${console.server.address}/runners`);
  const listed = page.getByRole('row').filter({ hasText: 'Own lab' });
  await listed.getByText('Remote').waitFor();
  await page.goto(demo.url('settings'));
  await row.getByRole('button', { name: 'Remove Own lab' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await section.getByText('This project has no runners').waitFor();
});

test('a project is deleted by whoever types its name, and another one is opened', async () => {
  const page = await openSettings();
  const { id } = await demo.call<Project>('POST', '/api/projects', { name: 'Short lived' });
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
  expect((await projects()).map((project) => project.id)).not.toContain(id);
});

test('who may not create projects is offered neither a new nor a restored one', async () => {
  const admin = await openSettings();
  await admin.getByRole('button', { name: 'Choose a project' }).click();
  await admin.getByRole('menuitem', { name: 'Restore project' }).click();
  await admin.getByRole('dialog', { name: 'Restore project' }).waitFor();

  const page = await openAs(console, demo, 'owner', { colorScheme: 'dark' });
  await page.goto(demo.url('settings'));
  await page.getByRole('button', { name: 'Back up' }).waitFor();
  expect(await page.getByRole('button', { name: 'Restore project' }).count()).toBe(0);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Choose a project' }).click();
  const own = (await projects()).find(({ id }) => id === demo.id);
  await page.getByRole('menuitem', { name: own?.name ?? '-' }).waitFor();
  expect(await page.getByRole('menuitem', { name: /New project|Restore/ }).count()).toBe(0);
});
