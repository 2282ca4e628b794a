// The team of a project: who is on it, with which role, and how people come and go.

import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import type { Member } from '#shared/api/members.ts';
import { expectAccessible, useConsole } from '../helpers/console.ts';
import { useDemo } from '../helpers/demo.ts';
import { openAs } from '../helpers/guest.ts';

const console = useConsole();
const { call } = console;
const demo = useDemo(console);

const team = () => call<Member[]>('GET', demo.api('users'));

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

test('an owner links, promotes and removes members', async () => {
  const username = demo.only('ada');
  const user = { username, name: 'Ada Signal', email: `${username}@example.com` };
  await call('POST', '/api/users', { ...user, password: 'a password of a member' });
  // Nobody is chosen while there are several.
  const other = { username: demo.only('grace'), name: 'Grace', email: `${username}@example.org` };
  await call('POST', '/api/users', { ...other, password: 'a password of a member' });
  const page = await demo.enter('history');
  await page.getByRole('link', { name: 'Team' }).click();
  await rowOf(page, 'Administrator').getByText('you', { exact: true }).waitFor();
  const leave = page.getByRole('button', { name: 'Leave Project' });
  await expect.poll(() => leave.getAttribute('aria-disabled')).toBe('true');

  await page.getByRole('button', { name: 'New Team Member' }).click();
  const dialog = page.getByRole('dialog', { name: 'New Team Member' });
  await dialog.getByRole('button', { name: 'Link', exact: true }).click();
  await dialog.getByText('User is required').waitFor();
  await dialog.getByRole('combobox', { name: 'User' }).fill(username);
  await page.getByRole('option').waitFor();
  await expectAccessible(page);
  await page.getByRole('option', { name: `Ada Signal (${username})` }).click();
  await dialog.getByRole('button', { name: 'Link', exact: true }).click();
  await page.getByText('Ada Signal is now a member').waitFor();
  expect((await team()).map((member) => [member.username, member.role])).toContainEqual([
    username,
    'task_runner',
  ]);

  await page.getByRole('combobox', { name: 'Role of Ada Signal' }).click();
  await page.getByRole('option', { name: /^Manager/ }).click();
  await page.getByText('Ada Signal: Manager').waitFor();
  await expect.poll(async () => (await team()).map(({ role }) => role)).toContain('manager');

  await page.getByRole('button', { name: 'Remove Ada Signal' }).click();
  const question = page.getByRole('dialog', { name: 'Remove from the team' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(await team()).toHaveLength(2);
  await page.getByRole('button', { name: 'Remove Ada Signal' }).click();
  await question.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('Ada Signal is no longer a member').waitFor();
  await rowOf(page, 'Ada Signal').waitFor({ state: 'detached' });
  expect(await team()).toHaveLength(1);
});

test('a refused change of role says why and leaves the role as it is', async () => {
  const page = await demo.enter('team');
  const role = page.getByRole('combobox', { name: 'Role of Administrator' });
  await role.click();
  await page.getByRole('option', { name: /^Guest/ }).click();
  await page.getByRole('alert').getByText('This is the only owner of the project.').waitFor();
  await expect.poll(() => role.inputValue()).toBe('Owner');
});

test('a guest sees the team, changes nothing and may leave', async () => {
  const page = await openAs(console, demo, 'guest', { viewport: { width: 360, height: 800 } });
  await page.goto(demo.url('team'));
  await rowOf(page, 'The guest').getByText('Guest', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: /^(?:New Team Member|Remove)/ }).count()).toBe(0);
  expect(await page.getByRole('combobox').count()).toBe(0);
  await page.getByRole('button', { name: 'Leave Project' }).click();
  const question = page.getByRole('dialog', { name: 'Leave Project' });
  await question.getByRole('button', { name: 'Leave Project' }).click();
  await page.waitForURL('**/project/new');
  expect((await team()).map(({ username }) => username)).not.toContain(demo.only('guest'));
});
