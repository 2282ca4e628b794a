// The team of a project: who is on it, with which role, and how people come and go.

import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import type { Member } from '#shared/api/members.ts';
import {
  callApi,
  openDemo,
  expectAccessible,
  expectNoComplaints,
  useConsole,
} from '../helpers/console.ts';
import { until } from '../helpers/until.ts';

const console = useConsole();
const { open, signIn } = console;

const password = 'a password of a member';

async function addUser(page: Page, username: string, name: string): Promise<number> {
  const user = { username, name, email: `${username}@example.com`, password };
  return (await callApi<{ id: number }>(page, 'post', '/api/users', user)).id;
}

const team = (page: Page) => callApi<Member[]>(page, 'get', '/api/project/1/users');

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

test('an owner links, promotes and removes members', async () => {
  const page = await openDemo(console);
  await addUser(page, 'ada', 'Ada Signal');
  await page.goto(`${console.server.address}/project/1/history`);
  await page.getByRole('link', { name: 'Team' }).click();
  await rowOf(page, 'Administrator').getByText('you', { exact: true }).waitFor();
  const leave = page.getByRole('button', { name: 'Leave Project' });
  await expect.poll(() => leave.getAttribute('aria-disabled')).toBe('true');

  await page.getByRole('button', { name: 'New Team Member' }).click();
  const dialog = page.getByRole('dialog', { name: 'New Team Member' });
  await dialog.getByRole('button', { name: 'Link', exact: true }).click();
  await dialog.getByText('User is required').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('combobox', { name: 'User' }).fill('ada');
  await page.getByRole('option', { name: 'Ada Signal (ada)' }).click();
  await dialog.getByRole('button', { name: 'Link', exact: true }).click();
  await page.getByText('Ada Signal is now a member').waitFor();
  expect((await team(page)).map(({ username, role }) => [username, role])).toContainEqual([
    'ada',
    'task_runner',
  ]);

  await page.getByRole('combobox', { name: 'Role of Ada Signal' }).click();
  await page.getByRole('option', { name: /^Manager/ }).click();
  await page.getByText('Ada Signal: Manager').waitFor();
  await until(async () => (await team(page)).some(({ role }) => role === 'manager'));

  await page.getByRole('button', { name: 'Remove Ada Signal' }).click();
  const question = page.getByRole('dialog', { name: 'Remove from the team' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(await team(page)).toHaveLength(2);
  await page.getByRole('button', { name: 'Remove Ada Signal' }).click();
  await question.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('Ada Signal is no longer a member').waitFor();
  await rowOf(page, 'Ada Signal').waitFor({ state: 'detached' });
  expect(await team(page)).toHaveLength(1);
  expectNoComplaints();
});

test('a refused change of role says why and leaves the role as it is', async () => {
  const page = await openDemo(console);
  await page.goto(`${console.server.address}/project/1/team`);
  const role = page.getByRole('combobox', { name: 'Role of Administrator' });
  await role.click();
  await page.getByRole('option', { name: /^Guest/ }).click();
  await page.getByRole('alert').getByText('This is the only owner of the project.').waitFor();
  await expect.poll(() => role.inputValue()).toBe('Owner');
  expectNoComplaints();
});

test('a guest sees the team, changes nothing and may leave', async () => {
  const owner = await openDemo(console);
  const id = await addUser(owner, 'guest', 'Grace Guest');
  await callApi(owner, 'post', '/api/project/1/users', { user_id: id, role: 'guest' });
  const page = await open('/', { viewport: { width: 360, height: 800 } });
  await signIn(page, 'guest', password);
  await page.waitForURL('**/project/1/**');
  await page.goto(`${console.server.address}/project/1/team`);
  await rowOf(page, 'Grace Guest').getByText('Guest', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: /^(?:New Team Member|Remove)/ }).count()).toBe(0);
  expect(await page.getByRole('combobox').count()).toBe(0);
  await page.getByRole('button', { name: 'Leave Project' }).click();
  const question = page.getByRole('dialog', { name: 'Leave Project' });
  await question.getByRole('button', { name: 'Leave Project' }).click();
  await page.waitForURL('**/project/new');
  expect((await team(owner)).map(({ username }) => username)).not.toContain('guest');
  expectNoComplaints();
});
