// The list of templates: views, columns, order, and what a guest sees of it.
// Slow: the views of a list, each opened again by another person.

import { expect, test } from 'vitest';
import type { View } from '#shared/api/views.ts';
import { expectAccessible, useConsole } from '../helpers/console.ts';
import { useDemo } from '../helpers/demo.ts';
import { openAs } from '../helpers/guest.ts';
import { until } from '../helpers/until.ts';

const console = useConsole();
const { call } = console;
const demo = useDemo(console);

const titles = async (): Promise<string[]> =>
  (await call<View[]>('GET', demo.api('views'))).map(({ title }) => title);

test('views are added, renamed, moved by keyboard and deleted; the sidebar remembers the last one', async () => {
  const page = await demo.enter('templates');
  await page.getByRole('button', { name: 'Edit Views' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Views' });
  for (const [index, title] of ['Stations', 'Trains', 'Signals'].entries()) {
    await dialog.getByRole('button', { name: 'Add view' }).click();
    await dialog.getByLabel(`Title of view ${index + 1}`).fill(title);
  }
  await dialog.getByRole('button', { name: 'Add view' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Title is required').waitFor();
  expect(await titles()).toEqual([]);
  await dialog.getByRole('button', { name: 'Delete New view' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Views saved').waitFor();
  await dialog.waitFor({ state: 'hidden' });
  expect(await titles()).toEqual(['Stations', 'Trains', 'Signals']);

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
  await expect.poll(() => dialog.getByLabel('Title of view 1').inputValue()).toBe('Signals');
  await dialog.getByRole('button', { name: 'Delete Stations' }).click();
  await dialog.getByRole('button', { name: 'Reset' }).click();
  await expect.poll(() => dialog.getByLabel('Title of view 1').inputValue()).toBe('Stations');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });

  const [first] = await call<View[]>('GET', demo.api('views'));
  await page.getByRole('link', { name: 'Stations' }).click();
  await page.waitForURL(`**${demo.path('views')}/${first?.id}/templates`);
  await page.getByText('No templates in this view').waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Team' }).click();
  await page.getByRole('link', { name: 'Task Templates' }).click();
  await page.waitForURL(`**${demo.path('views')}/${first?.id}/templates`);

  await page.getByRole('button', { name: 'Edit Views' }).click();
  await dialog.getByRole('button', { name: 'Delete Stations' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL(`**${demo.path('templates')}`);
  expect(await titles()).toEqual(['Trains', 'Signals']);
});

test('a template is edited in its view, found, sorted, and shown with other columns', async () => {
  const view = await call<View>('POST', demo.api('views'), { title: 'Trains only' });
  const page = await demo.enter(`templates?edit=${demo.template(3)}`);
  const dialog = page.getByRole('dialog', { name: 'Edit template' });
  await dialog.getByRole('combobox', { name: 'View' }).click();
  await page.getByRole('option', { name: 'Trains only' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Template 3. Announce a train saved').waitFor();
  await page.getByRole('link', { name: 'Trains only' }).click();
  await page.waitForURL(`**/views/${view.id}/templates`);
  await expect.poll(() => page.getByRole('row').count()).toBe(2);
  await page.getByRole('link', { name: '3. Announce a train' }).click();
  await page.waitForURL(`**/views/${view.id}/templates/${demo.template(3)}`);
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByText('Trains only').click();
  await page.waitForURL(`**/views/${view.id}/templates`);

  await page.getByRole('link', { name: 'All', exact: true }).click();
  const names = async (): Promise<string[]> =>
    page.getByRole('link', { name: /^\d\. / }).allTextContents();
  const shown = await until(async () => ((await names()).length === 8 ? names() : null));
  // The order of names is the first one; a click turns it round.
  await page.getByRole('button', { name: 'Name' }).click();
  await page.waitForURL('**/templates?sort=-name');
  await expect.poll(names).toEqual(shown.toReversed());
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Playbook' }).uncheck();
  await page.getByRole('menuitemcheckbox', { name: 'App', exact: true }).check();
  await page.keyboard.press('Escape');
  await page.reload();
  await page.getByRole('columnheader', { name: 'App' }).waitFor();
  expect(await page.getByRole('columnheader', { name: 'Playbook' }).count()).toBe(0);
});

test('a guest sees templates and views, and changes none', async () => {
  const page = await openAs(console, demo, 'guest', { colorScheme: 'dark' });
  await page.goto(demo.url('templates/new/edit'));
  await page.getByRole('link', { name: '3. Announce a train' }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  const changing = page.getByRole('button', { name: /New Template|Edit|More actions|Copy|Delete/ });
  expect(await changing.count()).toBe(0);
  await page.getByRole('link', { name: '3. Announce a train' }).click();
  await page.getByText('announce.yml').waitFor();
  expect(await changing.count()).toBe(0);
});
