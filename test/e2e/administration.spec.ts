// What administrators see of the whole server.

import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import type { ActiveTask } from '#shared/api/active-tasks.ts';
import type { Runner } from '#shared/api/runners.ts';
import type { Task } from '#shared/api/tasks.ts';
import type { Template } from '#shared/api/templates.ts';
import {
  callApi,
  openDemo,
  expectAccessible,
  expectAccessibleInBoth,
  expectNoComplaints,
  useConsole,
} from '../helpers/console.ts';
import { until } from '../helpers/until.ts';

const console = useConsole();
const { open, signIn } = console;

const at = (path: string): string => `${console.server.address}${path}`;
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

/** Two tasks of a template that asks first: one waits for somebody, the other one for it. */
async function launchTwo(page: Page): Promise<Task[]> {
  const [first] = await callApi<Template[]>(page, 'get', '/api/project/1/templates');
  const held = await callApi<Template>(page, 'post', '/api/project/1/templates', {
    name: 'Held',
    playbook: first?.playbook,
    repository_id: first?.repository_id,
    inventory_id: first?.inventory_id,
    environment_id: first?.environment_id,
    requires_confirmation: true,
  });
  const launch = () =>
    callApi<Task>(page, 'post', '/api/project/1/tasks', { template_id: held.id });
  return [await launch(), await launch()];
}

test('an administrator sees and stops what runs in all projects', async () => {
  const page = await openDemo(console);
  await page.goto(at('/project/1/history'));
  await page.getByRole('link', { name: 'Administration' }).click();
  await page.waitForURL('**/tasks');
  await page.getByText('Nothing runs and nothing waits').waitFor();

  const [first, second] = await launchTwo(page);
  const one = rowOf(page, `#${first?.id} Held`);
  await one.getByRole('cell', { name: 'Waiting for confirmation' }).waitFor();
  const other = rowOf(page, `#${second?.id} Held`);
  await other.getByText(`Waits for task #${first?.id} of the same template.`).waitFor();
  await expectAccessible(page);

  await page.getByRole('button', { name: `Stop task #${second?.id}` }).click();
  const question = page.getByRole('dialog', { name: `Stop task #${second?.id}?` });
  await question.getByText('in Demo is told to end').waitFor();
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Stop', exact: true }).click();
  await other.waitFor({ state: 'detached' });
  expect(await callApi<ActiveTask[]>(page, 'get', '/api/tasks')).toHaveLength(1);

  await one.getByRole('link', { name: `#${first?.id} Held` }).click();
  await page.waitForURL(`**/project/1/history?t=${first?.id}`);
  await page.getByRole('dialog').getByRole('button', { name: 'Reject', exact: true }).click();
  await until(async () => (await callApi<ActiveTask[]>(page, 'get', '/api/tasks')).length === 0);
  expectNoComplaints();
});

test('an administrator switches an app off and on', async () => {
  const page = await openDemo(console);
  await page.goto(at('/apps'));
  const row = rowOf(page, 'Bash');
  await row.getByText('Ready').waitFor();
  await row.getByRole('switch', { name: 'Bash is active' }).press('Space');
  await page.getByText('Bash is switched off').waitFor();
  await row.getByText('Switched off').waitFor();
  await row.getByRole('switch', { name: 'Bash is active' }).press('Space');
  await row.getByText('Ready').waitFor();
  expectNoComplaints();
});

test('an administrator sees how the only server does, which cannot be drained', async () => {
  const page = await openDemo(console);
  await page.goto(at('/runners'));
  const row = page.getByRole('row').nth(1);
  await row.getByText('Ready').waitFor();
  await row.getByText('People and tasks').waitFor();
  await row.getByText(/^0 of \d+$/).waitFor();
  const [{ load } = { load: Number.NaN }] = await callApi<Runner[]>(page, 'get', '/api/runners');
  expect(load).toBeGreaterThanOrEqual(0);
  await expect.poll(() => page.getByRole('table').getByRole('button').count()).toBe(0);
  await expectAccessibleInBoth(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await row.getByText('Ready').waitFor();
  await expectAccessibleInBoth(page);
  expectNoComplaints();
});

const screens: [path: string, sign: string][] = [
  ['/tasks', 'Nothing runs and nothing waits'],
  ['/apps', 'Ansible Playbook'],
  ['/runners', 'Running tasks'],
  ['/events', 'admin signed in'],
  ['/health', 'Hands waiting tasks over'],
];

test('the events of all projects are found by who and what', async () => {
  const page = await openDemo(console);
  await page.goto(at('/events'));
  await page.getByRole('combobox', { name: 'What' }).click();
  await page.getByRole('option', { name: 'Templates: all' }).click();
  await page.waitForURL('**/events?code=template.');
  await rowOf(page, 'Template "1. Say hello" created')
    .getByRole('link', { name: 'Demo', exact: true })
    .waitFor();
  await expect.poll(() => rowOf(page, 'signed in').count()).toBe(0);
  await page.getByRole('button', { name: 'Export' }).click();
  const json = page.getByRole('menuitem', { name: 'JSON' });
  await expect
    .poll(() => json.getAttribute('href'))
    .toBe('/api/events/export?code=template.&format=json');
  expectNoComplaints();
});

test('others are told who may look', async () => {
  const admin = await openDemo(console);
  const password = 'a password of somebody';
  const user = { username: 'ada', name: 'Ada', email: 'ada@example.com', password };
  const { id } = await callApi<{ id: number }>(admin, 'post', '/api/users', user);
  await callApi(admin, 'post', '/api/project/1/users', { user_id: id, role: 'owner' });
  const page = await open();
  await signIn(page, 'ada', password);
  await page.waitForURL('**/project/1/**');
  expect(await page.getByRole('link', { name: 'Administration' }).count()).toBe(0);
  for (const [path] of screens) {
    await page.goto(at(path));
    await page.getByText('Only administrators see this').waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
  }
  await expectAccessible(page);
  expectNoComplaints();
});
