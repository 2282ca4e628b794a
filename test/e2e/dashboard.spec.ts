// The dashboard: what happened, what happens now, and how it went.

import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import type { ProjectStats } from '#shared/api/stats.ts';
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
import { addProgram, launchTask, untilTask } from '../helpers/console-tasks.ts';
import { until } from '../helpers/until.ts';

const console = useConsole();
const { open, signIn } = console;

const password = 'a password of somebody';
const project = '/api/project/1';
const at = (path: string): string => `${console.server.address}${path}`;

/** Runs a short program to its end: what it is makes no difference here. */
async function run(page: Page): Promise<Task> {
  const templates = await callApi<Template[]>(page, 'get', `${project}/templates`);
  const known = templates.find(({ name }) => name === 'Quick')?.id;
  const id = known ?? (await addProgram(console, page, 'Quick', 'echo done\n'));
  return untilTask(page, (await launchTask(page, id)).id, 'success');
}

/** A task that has run to its end, of this test or of one before. */
async function anyRun(page: Page): Promise<Task> {
  const tasks = await callApi<Task[]>(page, 'get', `${project}/tasks`);
  return tasks.find(({ status }) => status === 'success') ?? run(page);
}

/** A template whose tasks wait for a confirmation, so that they stay as they are. */
async function heldTemplate(page: Page): Promise<Template> {
  const templates = await callApi<Template[]>(page, 'get', `${project}/templates`);
  const first = templates.find(({ app }) => app === 'ansible');
  const held = templates.find(({ name }) => name === 'Held');
  return (
    held ??
    callApi<Template>(page, 'post', `${project}/templates`, {
      name: 'Held',
      playbook: first?.playbook,
      repository_id: first?.repository_id,
      inventory_id: first?.inventory_id,
      environment_id: first?.environment_id,
      requires_confirmation: true,
    })
  );
}

const card = (page: Page, name: string) => page.getByRole('region', { name });
const rows = (page: Page) => page.getByRole('table', { name: 'Task history' }).getByRole('row');

test('a project without runs says what will be here', async () => {
  const page = await openDemo(console);
  await page.goto(at('/project/1/history'));
  await page.getByText('No tasks yet').waitFor();
  expect(await page.getByRole('region', { name: 'Runs per day' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Run a template' }).waitFor();
  await expectAccessible(page);
  expectNoComplaints();
});

test('the numbers and the list follow what happens', async () => {
  const page = await openDemo(console);
  await run(page);
  await page.goto(at('/project/1/history'));
  const runs = card(page, 'Runs per day');
  await runs.getByText('Success 1').waitFor();
  await runs.locator('canvas').waitFor();
  await card(page, 'Success rate').getByText('100%').waitFor();
  await card(page, 'Now').getByText('Nothing runs and nothing waits.').waitFor();

  await run(page);
  await runs.getByText('Success 2').waitFor();
  await expect.poll(() => rows(page).count()).toBe(3);

  await runs.getByRole('button', { name: 'Show as table' }).click();
  const table = runs.getByRole('table');
  await expect.poll(() => table.getByRole('row').count()).toBe(31);
  await expect.poll(() => table.getByRole('row').nth(1).innerText()).toMatch(/2\s+0\s+0$/);
  await expectAccessible(page);
  await runs.getByRole('button', { name: 'Show as chart' }).click();
  await runs.locator('canvas').waitFor();

  const stats = await callApi<ProjectStats>(page, 'get', `${project}/stats`);
  const [slowest] = stats.slowest;
  const link = card(page, 'Slowest templates').getByRole('link', { name: slowest?.name ?? '' });
  await expect
    .poll(() => link.getAttribute('href'))
    .toBe(`/project/1/templates/${slowest?.template_id}`);
  await card(page, 'Next scheduled runs').getByText('No schedule is active.').waitFor();
  await callApi(page, 'post', `${project}/schedules`, {
    template_id: 1,
    name: 'Every minute of a far year',
    cron_format: '0 0 1 1 *',
  });
  await card(page, 'Next scheduled runs').getByText('Every minute of a far year').waitFor();
  expectNoComplaints();
});

test('the history is filtered and turned by its address, and stays right while tasks come in', async () => {
  const page = await openDemo(console);
  const done = await anyRun(page);
  const held = await heldTemplate(page);
  const launch = (message: string) =>
    callApi<Task>(page, 'post', `${project}/tasks`, { template_id: held.id, message });
  const first = await launch('Held 1');
  for (let count = 2; count <= 22; count += 1) await launch(`Held ${count}`);
  await page.goto(at('/project/1/history'));
  await until(async () => (await rows(page).count()) === 21);
  await card(page, 'Now')
    .getByText(`Waits for task #${first.id} of the same template.`)
    .first()
    .waitFor();
  await card(page, 'Now').getByRole('link', { name: '18 more' }).click();
  await page.waitForURL('**/history?status=unfinished');

  // What comes in on the first page moves nothing on the second.
  await page.getByRole('button', { name: 'Older' }).click();
  await page.waitForURL(/before=\.\d+/);
  await until(async () => (await rows(page).count()) === 3);
  const second = await rows(page).allInnerTexts();
  const late = await launch('Late');
  await page.getByRole('button', { name: 'Newer' }).click();
  await page.getByRole('table').getByText('Late').waitFor();
  await page.goBack();
  await until(async () => (await rows(page).count()) === 3);
  expect((await rows(page).allInnerTexts()).map((text) => text.slice(0, 20))).toEqual(
    second.map((text) => text.slice(0, 20)),
  );

  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Success' }).click();
  await page.waitForURL('**/history?status=success');
  await page.getByRole('link', { name: `#${done.id}`, exact: true }).waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('searchbox', { name: 'Search tasks' }).fill('late');
  await page.waitForURL('**/history?q=late');
  await until(async () => (await rows(page).count()) === 2);
  await page.getByRole('link', { name: `#${late.id}`, exact: true }).waitFor();
  await page.getByRole('searchbox', { name: 'Search tasks' }).fill('nothing like this');
  await page.getByText('No task matches').waitFor();
  const stop = `${project}/templates/${held.id}/stop_all_tasks`;
  await callApi(page, 'post', stop, { force: false });
  expectNoComplaints();
});

test('a guest looks on at everything, in light and in dark', async () => {
  const owner = await openDemo(console);
  const guest = { username: 'guest', name: 'Guest', email: 'guest@example.com', password };
  const { id } = await callApi<{ id: number }>(owner, 'post', '/api/users', guest);
  await callApi(owner, 'post', `${project}/users`, { user_id: id, role: 'guest' });
  await run(owner);
  const page = await open('/', { viewport: { width: 360, height: 800 } });
  await signIn(page, 'guest', password);
  await page.waitForURL('**/project/1/history');
  await card(page, 'Runs per day').locator('canvas').waitFor();
  const dashboard = page.getByRole('link', { name: 'Activity' });
  expect(await page.getByRole('link', { name: 'Settings' }).count()).toBe(0);
  await expectAccessibleInBoth(page);
  const overflow = () =>
    page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
  await expect.poll(overflow).toBe(0);
  await dashboard.click();
  await page.waitForURL('**/project/1/activity');
  await page.getByRole('table', { name: 'Activity' }).getByText('ended: Success').first().waitFor();
  expect(await page.getByRole('button', { name: 'Export' }).count()).toBe(0);
  await expect.poll(overflow).toBe(0);
  expectNoComplaints();
});
