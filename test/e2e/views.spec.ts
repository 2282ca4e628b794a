// The list of templates: views, columns, order, and what a guest sees of it.

import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import type { Template } from '#shared/api/templates.ts';
import type { View } from '#shared/api/views.ts';
import { enter } from '../helpers/console-project.ts';
import {
  callApi,
  openDemo,
  expectAccessible,
  expectNoComplaints,
  useConsole,
} from '../helpers/console.ts';
import { until } from '../helpers/until.ts';

const console = useConsole();

const titles = async (page: Page): Promise<string[]> =>
  (await callApi<View[]>(page, 'get', '/api/project/1/views')).map(({ title }) => title);

test('views are added, renamed, moved by keyboard and deleted; the sidebar remembers the last one', async () => {
  const page = await openDemo(console);
  await page.goto(`${console.server.address}/project/1/templates`);
  await page.getByRole('button', { name: 'Edit Views' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Views' });
  for (const [index, title] of ['Stations', 'Trains', 'Signals'].entries()) {
    await dialog.getByRole('button', { name: 'Add view' }).click();
    await dialog.getByLabel(`Title of view ${index + 1}`).fill(title);
  }
  await dialog.getByRole('button', { name: 'Add view' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Title is required').waitFor();
  await expectAccessible(page);
  expect(await titles(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Delete New view' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Views saved').waitFor();
  await dialog.waitFor({ state: 'hidden' });
  expect(await titles(page)).toEqual(['Stations', 'Trains', 'Signals']);

  await page.getByRole('button', { name: 'Edit Views' }).click();
  await dialog.getByLabel('Title of view 2').fill('Engines');
  await dialog.getByRole('button', { name: 'Move Signals' }).focus();
  await page.keyboard.press('Space');
  await page.getByText('Signals lifted: place 3 of 3.').waitFor({ state: 'attached' });
  await page.keyboard.press('ArrowUp');
  await page.getByText('Signals: place 2 of 3.').waitFor({ state: 'attached' });
  await page.keyboard.press('ArrowUp');
  await page.getByText('Signals: place 1 of 3.').waitFor({ state: 'attached' });
  await page.keyboard.press('Space');
  await until(async () => (await dialog.getByLabel('Title of view 1').inputValue()) === 'Signals');
  await dialog.getByRole('button', { name: 'Delete Stations' }).click();
  await dialog.getByRole('button', { name: 'Reset' }).click();
  await expect.poll(() => dialog.getByLabel('Title of view 1').inputValue()).toBe('Stations');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });

  const [first] = await callApi<View[]>(page, 'get', '/api/project/1/views');
  await page.getByRole('link', { name: 'Stations' }).click();
  await page.waitForURL(`**/project/1/views/${first?.id}/templates`);
  await page.getByText('No templates in this view').waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Team' }).click();
  await page.getByRole('link', { name: 'Task Templates' }).click();
  await page.waitForURL(`**/project/1/views/${first?.id}/templates`);

  await page.getByRole('button', { name: 'Edit Views' }).click();
  await dialog.getByRole('button', { name: 'Delete Stations' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL('**/project/1/templates');
  expect(await titles(page)).toEqual(['Trains', 'Signals']);
  expectNoComplaints();
});

test('a template is edited in its view, found, sorted, and shown with other columns', async () => {
  const page = await enter(console);
  const view = await callApi<View>(page, 'post', '/api/project/1/views', { title: 'Trains only' });
  await page.goto(`${console.server.address}/project/1/templates?edit=3`);
  const dialog = page.getByRole('dialog', { name: 'Edit template' });
  await dialog.getByRole('combobox', { name: 'View' }).click();
  await page.getByRole('option', { name: 'Trains only' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Template 3. Announce a train saved').waitFor();
  await page.getByRole('link', { name: 'Trains only' }).click();
  await page.waitForURL(`**/views/${view.id}/templates`);
  await expect.poll(() => page.getByRole('row').count()).toBe(2);
  await page.getByRole('link', { name: '3. Announce a train' }).click();
  await page.waitForURL(`**/views/${view.id}/templates/3`);
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByText('Trains only').click();
  await page.waitForURL(`**/views/${view.id}/templates`);

  await page.getByRole('link', { name: 'All', exact: true }).click();
  const names = async (): Promise<string[]> =>
    page.getByRole('link', { name: /^\d\. / }).allTextContents();
  const shown = await until(async () => ((await names()).length === 6 ? names() : null));
  await page.getByRole('button', { name: 'Name' }).click();
  await page.getByRole('button', { name: 'Name' }).click();
  await page.waitForURL('**/templates?sort=-name');
  await expect.poll(names).toEqual(shown.toReversed());
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByLabel('Playbook').uncheck();
  await page.getByLabel('App').check();
  await page.keyboard.press('Escape');
  await page.reload();
  await page.getByRole('columnheader', { name: 'App' }).waitFor();
  expect(await page.getByRole('columnheader', { name: 'Playbook' }).count()).toBe(0);
  expectNoComplaints();
});

test('300 templates with long names are shown, searched and expanded', async () => {
  const page = await enter(console);
  const [first] = await callApi<Template[]>(page, 'get', '/api/project/1/templates');
  const { id } = await callApi<{ id: number }>(page, 'post', '/api/projects', {
    name: 'Many',
    demo: true,
  });
  const [sample] = await callApi<Template[]>(page, 'get', `/api/project/${id}/templates`);
  expect(first?.name).toBe(sample?.name);
  const long = 'A template whose name goes on for as long as anybody would care to read it';
  for (let number = 0; number < 300; number += 1) {
    const name = `${long} ${String(number).padStart(3, '0')}`;
    await callApi(page, 'post', `/api/project/${id}/templates`, { ...sample, name });
  }
  await page.goto(`${console.server.address}/project/${id}/templates`);
  await page.getByRole('link', { name: `${long} 299` }).waitFor();
  await expect.poll(() => page.getByRole('row').count()).toBe(307);
  await page.getByRole('searchbox', { name: 'Search' }).fill('read 290');
  await until(async () => (await page.getByRole('row').count()) === 2);
  await page.getByRole('button', { name: `Last tasks of ${long} 290` }).click();
  await page.getByText('No tasks yet').waitFor();
  await page.setViewportSize({ width: 360, height: 800 });
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBe(0);
  await expectAccessible(page);
  expectNoComplaints();
});

test('a guest sees templates and views, and changes none', async () => {
  const owner = await enter(console);
  const password = 'a password of somebody';
  const user = { username: 'guest', name: 'Grace Guest', email: 'guest@example.com', password };
  const { id } = await callApi<{ id: number }>(owner, 'post', '/api/users', user);
  await callApi(owner, 'post', '/api/project/1/users', { user_id: id, role: 'guest' });
  const page = await console.open('/', { colorScheme: 'dark' });
  await console.signIn(page, 'guest', password);
  await page.waitForURL('**/project/1/**');
  await page.goto(`${console.server.address}/project/1/templates/new/edit`);
  await page.getByRole('link', { name: '3. Announce a train' }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  const changing = page.getByRole('button', { name: /New Template|Edit|More actions|Copy|Delete/ });
  expect(await changing.count()).toBe(0);
  await page.getByRole('link', { name: '3. Announce a train' }).click();
  await page.getByText('announce.yml').waitFor();
  expect(await changing.count()).toBe(0);
  await expectAccessible(page);
  expectNoComplaints();
});
