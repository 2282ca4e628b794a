// Slow: numbers and filters of the history, which nothing else depends on.
// The dashboard: what happened, what happens now, and how it went.

import { expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import type { ProjectStats } from '#shared/api/stats.ts';
import type { Task } from '#shared/api/tasks.ts';
import type { Template } from '#shared/api/templates.ts';
import { expectAccessible, expectAccessibleInBoth, useConsole } from '../helpers/console.ts';
import { addHeld, addProgram, launchTask, untilTask } from '../helpers/console-tasks.ts';
import { useDemo } from '../helpers/demo.ts';
import { openAs } from '../helpers/guest.ts';
import { until } from '../helpers/until.ts';

const console = useConsole();
const { call } = console;
const demo = useDemo(console);

/** Runs a short program to its end; what the program does makes no difference here. */
async function run(): Promise<Task> {
  const templates = await call<Template[]>('GET', demo.api('templates'));
  const known = templates.find(({ name }) => name === 'Quick')?.id;
  const id = known ?? (await addProgram(demo, 'Quick', 'echo done\n'));
  return untilTask(demo, (await launchTask(demo, id)).id, 'success');
}

/** A task that has run to its end, in this test or an earlier one. */
async function anyRun(): Promise<Task> {
  const tasks = await call<Task[]>('GET', demo.api('tasks'));
  return tasks.find(({ status }) => status === 'success') ?? run();
}

const card = (page: Page, name: string) => page.getByRole('region', { name });
const bars = (runs: Locator) => runs.getByRole('link', { name: /Success \d+, Failed \d+/ });

/** The number of days, counted by moving the one link of the bars from the first to the last. */
async function countDays(page: Page, runs: Locator): Promise<number> {
  await bars(runs).focus();
  await page.keyboard.press('Home');
  const days = new Set<string | null>();
  for (let day = await bars(runs).getAttribute('aria-label'); !days.has(day);) {
    days.add(day);
    await page.keyboard.press('ArrowRight');
    day = await bars(runs).getAttribute('aria-label');
  }
  return days.size;
}

const rows = (page: Page) => page.getByRole('table', { name: 'Task history' }).getByRole('row');

test('a project without runs says what will be here', async () => {
  const page = await demo.enter('history');
  await page.getByText('No tasks yet').waitFor();
  expect(await page.getByRole('region', { name: 'Runs per day' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Run a template' }).waitFor();
  await expectAccessible(page);
});

test('the numbers and the list follow what happens', async () => {
  await run();
  const page = await demo.enter('history');
  const runs = card(page, 'Runs per day');
  await runs.getByText('Success 1').waitFor();
  await bars(runs).first().waitFor();
  await card(page, 'Success rate').getByText('100%').waitFor();
  await card(page, 'Now').getByText('No task is running or waiting.').waitFor();

  await run();
  await runs.getByText('Success 2').waitFor();
  await expect.poll(() => rows(page).count()).toBe(3);

  await runs.getByRole('button', { name: 'Show as table' }).click();
  const table = runs.getByRole('table');
  await expect.poll(() => table.getByRole('row').count()).toBe(31);
  await expect.poll(() => table.getByRole('row').nth(1).innerText()).toMatch(/2\s+0\s+0\s+\d/);
  await expectAccessible(page);
  await runs.getByRole('button', { name: 'Show as chart' }).click();
  await bars(runs).first().waitFor();

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
});

test('a bar and an entry of the legend filter the history, by mouse and by keyboard', async () => {
  await anyRun();
  const [failing, failed] = [await addProgram(demo, 'Failing', 'exit 3\n'), 'error'] as const;
  await untilTask(demo, (await launchTask(demo, failing)).id, failed);
  const page = await demo.enter('history');
  const runs = card(page, 'Runs per day');
  const failures = runs.getByRole('link', { name: 'Failed 1', exact: true });
  await failures.click();
  await page.waitForURL(/status=error&from=\d{4}-\d\d-\d\d$/);
  await until(async () => (await rows(page).count()) === 2);
  await page.getByText('Total: 1', { exact: true }).waitFor();
  expect(await failures.getAttribute('aria-current')).toBe('true');
  await failures.click();
  await page.waitForURL((url) => !url.search.includes('status'));

  // All bars are one stop of the Tab key; today is the first to be reached.
  await page.getByRole('link', { name: /^Stopped/ }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.searchParams.get('from') === url.searchParams.get('to'));
  await page.getByText('No task matches').waitFor();
  const ended = page.getByRole('combobox', { name: 'Ended' });
  await expect.poll(() => ended.inputValue()).toBe('Yesterday');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await until(async () => (await rows(page).count()) > 2);
  await page.getByLabel('From').waitFor();
  const today = new URL(page.url()).searchParams.get('from');
  expect(today).toBe(new URL(page.url()).searchParams.get('to'));

  await page.getByRole('button', { name: 'Clear filters' }).click();
  await ended.click();
  await page.getByRole('option', { name: 'Today' }).click();
  await page.waitForURL(`**/history?from=${today}`);
  const before = await rows(page).count();
  await untilTask(demo, (await launchTask(demo, failing)).id, failed);
  await until(async () => (await rows(page).count()) === before + 1);
  await page.getByText(`Total: ${before}`, { exact: true }).waitFor();
});

test('days are chosen by the address, and what fails most leads to its failed tasks', async () => {
  const failing = await addProgram(demo, 'Fails often', 'exit 3\n');
  for (let count = 0; count < 2; count += 1) {
    await untilTask(demo, (await launchTask(demo, failing)).id, 'error');
  }
  const page = await demo.enter('history');
  const runs = card(page, 'Runs per day');
  expect(await countDays(page, runs)).toBe(30);
  await runs.getByRole('link', { name: '7 days' }).click();
  await page.waitForURL('**/history?days=7');
  await expect.poll(() => countDays(page, runs)).toBe(7);
  const last = bars(runs);
  await expect.poll(() => last.getAttribute('aria-label')).toMatch(/Failed \d+, Stopped \d+/);
  const failures = card(page, 'Failing templates').getByRole('listitem');
  const template = failures.filter({ hasText: 'Fails often' });
  await expect.poll(() => template.innerText()).toMatch(/Fails often\s+2/);
  await card(page, 'Queue time')
    .getByText(/95% within \d/)
    .waitFor();
  await card(page, 'Failing hosts').getByText('No host failed.').waitFor();
  await expectAccessible(page);
  await template.getByRole('link').click();
  await page.waitForURL(`**/history?days=7&template=${failing}&status=error&from=*`);
  await expect.poll(() => rows(page).count()).toBe(3);
  await page.goBack();
  await page.goBack();
  await expect.poll(() => countDays(page, runs)).toBe(30);
});

test('the list of the history begins in the upper half of the screen', async () => {
  await anyRun();
  const page = await console.enter({ viewport: { width: 1280, height: 800 } });
  await page.goto(demo.url('history'));
  await bars(card(page, 'Runs per day')).first().waitFor();
  const table = await page.getByRole('table', { name: 'Task history' }).boundingBox();
  expect(table?.y).toBeLessThan(400);
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
    .getByText(`Waiting for task #${first.id} of the same template.`)
    .first()
    .waitFor();
  await card(page, 'Now').getByRole('link', { name: '20 more' }).click();
  await page.waitForURL('**/history?status=unfinished');

  // A task that appears on the first page moves nothing on the second.
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
});

test('a guest looks on at everything, in light and in dark', async () => {
  await run();
  const page = await openAs(console, demo, 'guest', { viewport: { width: 360, height: 800 } });
  await page.goto(demo.url('history'));
  await bars(card(page, 'Runs per day')).first().waitFor();
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
});
