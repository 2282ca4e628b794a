// Slow: it has a server of its own, and counts all its users.
// Users, for administrators; and what everybody has: profile, password, sessions, API tokens.

import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import type { User } from '#shared/api/users.ts';
import { loadConfig } from '../../src/server/config/config.ts';
import { databaseFile, openDatabase } from '../../src/server/db/open.ts';
import { watchCopies } from '../helpers/clipboard.ts';
import { expectAccessible, letIn, useOwnConsole } from '../helpers/console.ts';
import { useDemo } from '../helpers/demo.ts';

// This file has a server of its own, because it counts all users.
const console = useOwnConsole();
const { open, enter, call } = console;
const demo = useDemo(console);

const openAt = async (path: string): Promise<Page> => {
  const page = await enter();
  await page.goto(console.server.address + path);
  return page;
};

test('an administrator makes, changes and deletes users, but not oneself', async () => {
  const page = await openAt(demo.path('history'));
  await page.getByRole('button', { name: 'Administrator' }).click();
  await page.getByRole('menuitem', { name: 'Users' }).click();
  await page.getByRole('table', { name: 'Users' }).waitFor();
  await page.getByRole('button', { name: 'New User' }).click();
  const dialog = page.getByRole('dialog', { name: 'New User' });
  await dialog.getByRole('button', { name: 'Create' }).click();
  const required = ['Name', 'Username', 'Email', 'Password'];
  for (const name of required) {
    await dialog.getByText(`${name} is required`, { exact: true }).waitFor();
  }
  await dialog.getByLabel('Name *', { exact: true }).fill('Nora New');
  await dialog.getByLabel('Username').fill(demo.only('nora'));
  await dialog.getByLabel('Email').fill('nora@example.com');
  await dialog.getByLabel('Password *', { exact: true }).fill('a password of hers');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByText('User Nora New created').waitFor();
  await page.getByRole('link', { name: 'Nora New' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit user' });
  await edit.getByLabel('Name *', { exact: true }).fill('Nora Newer');
  await edit.getByLabel('Administrator').check();
  await edit.getByRole('button', { name: 'Save' }).click();
  await page.getByText('User Nora Newer saved').waitFor();
  const row = page.getByRole('row', { name: 'Nora Newer' });
  await expect.poll(() => row.getByRole('cell').allInnerTexts()).toContain('Yes');
  const own = page.getByRole('button', { name: 'Delete Administrator' });
  await expect.poll(() => own.getAttribute('aria-disabled')).toBe('true');
  await page.getByRole('button', { name: 'Delete Nora Newer' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('User Nora Newer deleted').waitFor();

  const username = demo.only('ext');
  const external = { username, name: 'Ext Ernal', email: 'ext@example.com', external: true };
  const { id } = await call<User>('POST', '/api/users', external);
  await page.goto(`${console.server.address}/users?edit=${id}`);
  for (const label of ['Name *', 'Username *', 'Email *']) {
    await expect.poll(() => edit.getByLabel(label, { exact: true }).isDisabled()).toBe(true);
  }
  expect(await edit.getByLabel('password').count()).toBe(0);
  await edit.getByLabel('Send alerts').check();
  await edit.getByRole('button', { name: 'Save' }).click();
  await page.getByText('User Ext Ernal saved').waitFor();
  await page.getByRole('link', { name: `Back to ${demo.name}` }).click();
  await page.waitForURL(`**${demo.path('history')}`);
});

test('users come in pages of twenty, with their address', async () => {
  const many = demo.only('many');
  for (let number = 1; number <= 22; number += 1) {
    const username = `${many}-${number}`;
    const user = { username, name: `Person ${number}`, email: `${username}@example.com` };
    await call('POST', '/api/users', { ...user, external: true });
  }
  const page = await openAt('/users');
  const search = page.getByRole('searchbox', { name: 'Search' });
  await search.fill(`${many}-`);
  await page.getByText('1–20 of 22').waitFor();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.waitForURL(/\/users\?.*\bpage=2\b/);
  await expect.poll(() => page.getByRole('row').count()).toBe(3);
  await search.fill(`${many}-7`);
  await page.getByRole('row', { name: 'Person 7' }).waitFor();
});

test('everybody changes profile and password, and ends other sessions', async () => {
  const username = demo.only('ann');
  const user = { username, name: 'Ann Other', email: 'ann@example.com' };
  const password = 'a password of hers';
  await call('POST', '/api/users', { ...user, password });
  const [page, elsewhere] = [await open(null, { colorScheme: 'dark' }), await open(null)];
  for (const one of [page, elsewhere]) await letIn(one, username, password);
  await page.goto(console.server.address);
  await page.waitForURL('**/project/new');
  await page.getByRole('button', { name: 'Ann Other' }).click();
  await page.getByRole('menuitem', { name: 'Edit Account' }).click();
  await page.getByLabel('Name *', { exact: true }).fill('Ann Older');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('User Ann Older saved').waitFor();
  await page.getByRole('button', { name: 'Ann Older' }).waitFor();
  // Right after the sign-in the server asks for none, so the input may stay empty.
  await page.getByLabel('Current password', { exact: true }).fill('not the password');
  await page.getByLabel('New password *', { exact: true }).fill('another password');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByRole('alert').waitFor();

  await page.getByRole('link', { name: 'Sessions' }).click();
  await page.getByText('This session').waitFor();
  await page.getByRole('button', { name: 'End all other sessions' }).click();
  await page.getByRole('button', { name: 'End sessions' }).click();
  await page.getByText('All other sessions ended').waitFor();
  expect((await elsewhere.request.get(`${console.server.address}/api/user`)).status()).toBe(401);

  await page.getByRole('link', { name: 'Profile' }).click();
  await page.getByLabel('Current password', { exact: true }).fill(password);
  await page.getByLabel('New password *', { exact: true }).fill('another password');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('Password changed').waitFor();
});

test('whoever changes their login some time after signing in is asked for the password', async () => {
  const username = demo.only('eve');
  const password = 'a password of hers';
  const user = { username, name: 'Eve Other', email: 'eve@example.com', password };
  const { id } = await call<User>('POST', '/api/users', user);
  const page = await open(null);
  await letIn(page, username, password);
  const { dataDir } = console.server;
  const db = openDatabase(`sqlite:${databaseFile({ ...loadConfig({}), dataDir })}`);
  const created = new Date(Date.now() - 11 * 60_000).toISOString();
  await db.updateTable('sessions').set({ created }).where('user_id', '=', id).execute();
  await db.destroy();
  await page.goto(`${console.server.address}/account`);
  await page.getByLabel('Email *').fill('eve@elsewhere.example');
  const asked = page.getByLabel('Current password *', { exact: true });
  await page.getByLabel('Current password', { exact: true }).waitFor();
  expect(await asked.count()).toBe(0);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Current password is required').waitFor();
  await asked.first().fill(password);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('User Eve Other saved').waitFor();
  const saved = await call<User>('GET', `/api/users/${id}`);
  expect(saved.email).toBe('eve@elsewhere.example');
});

test('an API token is shown once, and works until it is deleted', async () => {
  const page = await openAt('/account/tokens');
  await page.getByText('No API tokens yet').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'New API token' }).click();
  const dialog = page.getByRole('dialog', { name: 'New API token' });
  await dialog.getByLabel('Name').fill('Build server');
  await dialog.getByRole('combobox', { name: 'Project' }).click();
  await page.getByRole('option', { name: demo.name }).click();
  await dialog.getByRole('button', { name: 'Create' }).click();
  const token = await dialog.getByText(/^sbx_/).innerText();
  await expectAccessible(page);
  const copied = await watchCopies(page);
  await dialog.getByRole('button', { name: 'Copy' }).click();
  await page.getByText('Token copied to the clipboard').waitFor();
  expect(await copied()).toBe(token);
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('not today'));
  });
  await dialog.getByRole('button', { name: 'Copy' }).click();
  await page.getByText("Can't copy to clipboard: not today").waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  expect(await page.getByText(token).count()).toBe(0);
  const headers = { authorization: `Bearer ${token}` };
  const use = async () =>
    (await fetch(`${console.server.address}${demo.api('templates')}`, { headers })).status;
  expect(await use()).toBe(200);
  await page.getByRole('button', { name: 'Delete Build server' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('API token deleted').waitFor();
  expect(await use()).toBe(401);
});
