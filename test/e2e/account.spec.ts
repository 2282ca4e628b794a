// Users, for administrators; and what everybody has: profile, password, sessions, API tokens.

import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import type { User } from '#shared/api/users.ts';
import {
  callApi,
  openDemo,
  expectAccessible,
  expectNoComplaints,
  useConsole,
} from '../helpers/console.ts';

const console = useConsole();
const { open, signIn } = console;

const openAt = async (path: string, options = {}): Promise<Page> => {
  const page = await openDemo(console, options);
  await page.goto(console.server.address + path);
  return page;
};

test('an administrator makes, changes and deletes users, but not oneself', async () => {
  const page = await openAt('/');
  await page.waitForURL('**/project/1/history');
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
  await expectAccessible(page);
  await dialog.getByLabel('Name *', { exact: true }).fill('Nora New');
  await dialog.getByLabel('Username').fill('nora');
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

  const external = { username: 'ext', name: 'Ext Ernal', email: 'ext@example.com', external: true };
  const { id } = await callApi<User>(page, 'post', '/api/users', external);
  await page.goto(`${console.server.address}/users?edit=${id}`);
  for (const label of ['Name *', 'Username *', 'Email *']) {
    await expect.poll(() => edit.getByLabel(label, { exact: true }).isDisabled()).toBe(true);
  }
  expect(await edit.getByLabel('password').count()).toBe(0);
  await edit.getByLabel('Send alerts').check();
  await edit.getByRole('button', { name: 'Save' }).click();
  await page.getByText('User Ext Ernal saved').waitFor();
  await page.getByRole('link', { name: 'Back to Demo' }).click();
  await page.waitForURL('**/project/1/history');
  expectNoComplaints();
});

test('users come in pages of twenty, with their address', async () => {
  const page = await openAt('/users');
  for (let number = 1; number <= 22; number += 1) {
    const username = `user-${number}`;
    const user = { username, name: `Person ${number}`, email: `${username}@example.com` };
    await callApi(page, 'post', '/api/users', { ...user, external: true });
  }
  await page.reload();
  await page.getByText(/^1–20 of 2\d$/).waitFor();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.waitForURL('**/users?page=2');
  await expect.poll(() => page.getByRole('row').count()).toBeLessThan(8);
  await page.getByRole('searchbox', { name: 'Search' }).fill('user-7');
  await page.getByRole('row', { name: 'Person 7' }).waitFor();
  expectNoComplaints();
});

test('everybody changes profile and password, and ends other sessions', async () => {
  const admin = await openAt('/');
  const user = { username: 'ann', name: 'Ann Other', email: 'ann@example.com' };
  const password = 'a password of hers';
  await callApi(admin, 'post', '/api/users', { ...user, password });
  const [page, elsewhere] = [await open('/', { colorScheme: 'dark' }), await open('/')];
  for (const one of [page, elsewhere]) {
    await signIn(one, 'ann', password);
    await one.waitForURL('**/project/new');
  }
  await page.getByRole('button', { name: 'Ann Other' }).click();
  await page.getByRole('menuitem', { name: 'Edit Account' }).click();
  await page.getByLabel('Name *', { exact: true }).fill('Ann Older');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('User Ann Older saved').waitFor();
  await page.getByRole('button', { name: 'Ann Older' }).waitFor();
  await page.getByLabel('Current password *', { exact: true }).fill('not the password');
  await page.getByLabel('New password *', { exact: true }).fill('another password');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByRole('alert').waitFor();

  await page.getByRole('link', { name: 'Sessions' }).click();
  await page.getByText('This session').waitFor();
  await page.getByRole('button', { name: 'End all other sessions' }).click();
  await page.getByRole('button', { name: 'End them' }).click();
  await page.getByText('All other sessions have ended.').waitFor();
  expect((await elsewhere.request.get(`${console.server.address}/api/user`)).status()).toBe(401);

  await page.getByRole('link', { name: 'Profile' }).click();
  await page.getByLabel('Current password *', { exact: true }).fill(password);
  await page.getByLabel('New password *', { exact: true }).fill('another password');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('Your password has been changed.').waitFor();
  expectNoComplaints();
});

test('an API token is shown once, and works until it is deleted', async () => {
  const page = await openAt('/account/tokens');
  await page.getByText('No API tokens yet').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'New API token' }).click();
  const dialog = page.getByRole('dialog', { name: 'New API token' });
  await dialog.getByLabel('Name').fill('Build server');
  await dialog.getByRole('combobox', { name: 'Project' }).click();
  await page.getByRole('option', { name: 'Demo' }).click();
  await dialog.getByRole('button', { name: 'Create' }).click();
  const token = await dialog.getByText(/^sbx_/).innerText();
  await expectAccessible(page);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await dialog.getByRole('button', { name: 'Copy' }).click();
  await page.getByText('The token has been copied to the clipboard.').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token);
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
    (await fetch(`${console.server.address}/api/project/1/templates`, { headers })).status;
  expect(await use()).toBe(200);
  await page.getByRole('button', { name: 'Delete Build server' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('API token deleted').waitFor();
  expect(await use()).toBe(401);
  expectNoComplaints();
});
