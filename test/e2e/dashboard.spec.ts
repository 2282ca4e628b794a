// Slow: numbers and filters of the history, which nothing else depends on.
// The dashboard: what happened, what happens now, and how it went.

import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import type { ProjectStats } from '#shared/api/stats.ts';
import type { Task } from '#shared/api/tasks.ts';
import type { Template } from '#shared/api/templates.ts';
import {
  expectAccessible,
  expectAccessibleInBoth,
  expectNoComplaints,
  useConsole,
} from '../helpers/console.ts';
import { addHeld, addProgram, launchTask, untilTask } from '../helpers/console-tasks.ts';
import { useDemo } from '../helpers/demo.ts';
import { openAs } from '../helpers/guest.ts';
import { until } from '../helpers/until.ts';

const console = useConsole();
const { call } = console;
const demo = useDemo(console);

/** Runs a short program to its end: what it is makes no difference here. */
async function run(): Promise<Task> {
  const templates = await call<Template[]>('GET', demo.api('templates'));
  const known = templates.find(({ name }) => name === 'Quick')?.id;
  const id = known ?? (await addProgram(demo, 'Quick', 'echo done\n'));
  return untilTask(demo, (await launchTask(demo, id)).id, 'success');
}

/** A task that has run to its end, of this test or of one before. */
async function anyRun(): Promise<Task> {
  const tasks = await call<Task[]>('GET', demo.api('tasks'));
  return tasks.find(({ status }) => status === 'success') ?? run();
}

const card = (page: Page, name: string) => page.getByRole('region', { name });
const rows = (page: Page) => page.getByRole('table', { name: 'Task history' }).getByRole('row');

test('a project without runs says what will be here', async () => {
  const page = await console.enter();
  await page.goto(demo.url('history'));
  await page.getByText('No tasks yet').waitFor();
  expect(await page.getByRole('region', { name: 'Runs per day' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Run a template' }).waitFor();
  await expectAccessible(page);
  expectNoComplaints();
});

test('the numbers and the list follow what happens', async () => {
  await run();
  const page = await console.enter();
  await page.goto(demo.url('history'));
  const runs = card(page, 'Runs per day');
  await runs.getByText('Success 1').waitFor();
  await runs.locator('canvas').waitFor();
  await card(page, 'Success rate').getByText('100%').waitFor();
  await card(page, 'Now').getByText('No task is running or waiting.').waitFor();

  await run();
  await runs.getByText('Success 2').waitFor();
  await expect.poll(() => rows(page).count()).toBe(3);

  await runs.getByRole('button', { name: 'Show as table' }).click();
  const table = runs.getByRole('table');
  await expect.poll(() => table.getByRole('row').count()).toBe(31);
  await expect.poll(() => table.getByRole('row').nth(1).innerText()).toMatch(/2\s+0\s+0$/);
  await expectAccessible(page);
  await runs.getByRole('button', { name: 'Show as chart' }).click();
  await runs.locator('canvas').waitFor();

  const stats = await call<ProjectStats>('GET', demo.api('stats'));
  const [slowest] = stats.slowest;
  const link = card(page, 'Slowest templates').getByRole('link', { name: slowest?.name ?? '' });
  await expect
    .poll(() => link.getAttribute('href'))
    .toBe(demo.path(`templates/${slowest?.template_id}`));
  await card(page, 'Next scheduled runs').getByText('No schedule is active.').waitFor();
  await call('POST', demo.api('schedules'), {
    template_id: demo.template(1),
    name: 'Every minute of a far year',
    cron_format: '0 0 1 1 *',
    active: true,
  });
  await card(page, 'Next scheduled runs').getByText('Every minute of a far year').waitFor();
  expectNoComplaints();
});

test('the history is filtered and turned by its address, and stays right while tasks come in', async () => {
  const page = await console.enter();
  const done = await anyRun();
  const held = await addHeld(demo);
  const launch = (message: string) => launchTask(demo, held, { message });
  const first = await launch('Held 1');
  for (let count = 2; count <= 22; count += 1) await launch(`Held ${count}`);
  await page.goto(demo.url('history'));
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
  await call('POST', demo.api(`templates/${held}/stop_all_tasks`), { force: false });
  expectNoComplaints();
});

test('a guest looks on at everything, in light and in dark', async () => {
  await run();
  const page = await openAs(console, demo, 'guest', { viewport: { width: 360, height: 800 } });
  await page.goto(demo.url('history'));
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
  await page.waitForURL(`**${demo.path('activity')}`);
  await page.getByRole('table', { name: 'Activity' }).getByText('ended: Success').first().waitFor();
  expect(await page.getByRole('button', { name: 'Export' }).count()).toBe(0);
  await expect.poll(overflow).toBe(0);
  expectNoComplaints();
});
