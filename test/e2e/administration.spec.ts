// Slow: it has a server of its own, and is for administrators only.
// What administrators see of the whole server.

import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import type { ActiveTask } from '#shared/api/active-tasks.ts';
import type { Runner } from '#shared/api/runners.ts';
import { expectAccessible, expectAccessibleInBoth, useOwnConsole } from '../helpers/console.ts';
import { addHeld, launchTask } from '../helpers/console-tasks.ts';
import { useDemo } from '../helpers/demo.ts';
import { openAs } from '../helpers/guest.ts';
import { until } from '../helpers/until.ts';

// This file has a server of its own, because it counts all that runs and switches an app off.
const console = useOwnConsole();
const { call, enter } = console;
const demo = useDemo(console);

const at = (path: string): string => `${console.server.address}${path}`;
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

test('an administrator sees and stops what runs in all projects', async () => {
  const page = await enter();
  await page.goto(demo.url('history'));
  await page.getByRole('link', { name: 'Administration' }).click();
  await page.waitForURL('**/tasks');
  await page.getByText('No task is running or waiting').waitFor();

  const held = await addHeld(demo);
  const first = await launchTask(demo, held);
  const second = await launchTask(demo, held);
  const one = rowOf(page, `#${first.id} Held`);
  await one.getByRole('cell', { name: 'Waiting for confirmation' }).waitFor();
  const other = rowOf(page, `#${second.id} Held`);
  await other.getByText(`Waiting for task #${first.id} of the same template.`).waitFor();
  await expectAccessible(page);

  await page.getByRole('button', { name: `Stop task #${second.id}` }).click();
  const question = page.getByRole('dialog', { name: `Stop task #${second.id}?` });
  await question.getByText(`in ${demo.name} to end`).waitFor();
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Stop', exact: true }).click();
  await other.waitFor({ state: 'detached' });
  expect(await call<ActiveTask[]>('GET', '/api/tasks')).toHaveLength(1);

  await one.getByRole('link', { name: `#${first.id} Held` }).click();
  await page.waitForURL(`**${demo.path('history')}?t=${first.id}`);
  await page.getByRole('dialog').getByRole('button', { name: 'Reject', exact: true }).click();
  await until(async () => (await call<ActiveTask[]>('GET', '/api/tasks')).length === 0);
});

test('an administrator switches an app off and on', async () => {
  const page = await enter();
  await page.goto(at('/apps'));
  const row = rowOf(page, 'Bash');
  await row.getByText('Ready').waitFor();
  await row.getByRole('switch', { name: 'Bash is active' }).press('Space');
  await page.getByText('Bash disabled').waitFor();
  await row.getByText('Disabled').waitFor();
  await row.getByRole('switch', { name: 'Bash is active' }).press('Space');
  await row.getByText('Ready').waitFor();
});

test('an administrator sees how the only server is doing, which cannot be drained', async () => {
  const page = await enter();
  await page.goto(at('/runners'));
  const row = page.getByRole('row').nth(1);
  await row.getByText('Ready').waitFor();
  await row.getByText('Web and tasks').waitFor();
  await row.getByText(/^0 of \d+$/).waitFor();
  const [{ load } = { load: Number.NaN }] = await call<Runner[]>('GET', '/api/runners');
  expect(load).toBeGreaterThanOrEqual(0);
  await expect.poll(() => page.getByRole('table').getByRole('button').count()).toBe(0);
  await expectAccessibleInBoth(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await row.getByText('Ready').waitFor();
  await expectAccessibleInBoth(page);
});

const screens = [
  '/tasks',
  '/apps',
  '/runners',
  '/execution-environments',
  '/roles',
  '/events',
  '/health',
];

test('the events of all projects are found by who and what', async () => {
  const page = await enter();
  await page.goto(at('/events'));
  await page.getByRole('combobox', { name: 'What' }).click();
  await page.getByRole('option', { name: 'Templates: all' }).click();
  await page.waitForURL('**/events?code=template.');
  await rowOf(page, 'Template "1. Say hello" created')
    .getByRole('link', { name: demo.name, exact: true })
    .waitFor();
  await expect.poll(() => rowOf(page, 'signed in').count()).toBe(0);
  await page.getByRole('button', { name: 'Export' }).click();
  const json = page.getByRole('menuitem', { name: 'JSON' });
  await expect
    .poll(() => json.getAttribute('href'))
    .toBe('/api/events/export?code=template.&format=json');
});

test('the health page shows the server in numbers, with what is normal', async () => {
  const path = '/api/runners';
  const { id } = await call<{ id: number }>('POST', path, { name: 'Never started' });
  const page = await enter();
  await page.goto(at('/health'));
  const figures = page.getByRole('region', { name: 'Statistics' });
  await figures.getByText(/^[\d.]+ \wB free of [\d.]+ \wB$/).waitFor();
  await figures.getByText(/^[\d.]+ \wB, (SQLite|PostgreSQL) \d+\./).waitFor();
  await figures.getByText('Normal: none waits for over 15 minutes.').waitFor();
  const runners = page.getByRole('table', { name: 'Runners' });
  await runners
    .getByText(/^\d+\.\d+\.\d+$/)
    .first()
    .waitFor();
  // Nothing is known of a runner that has not registered, so that nothing is unusual about it.
  const cells = await runners.getByRole('row', { name: 'Never started' }).getByRole('cell').all();
  const texts = await Promise.all(cells.slice(1).map((cell) => cell.innerText()));
  expect(texts).toEqual(texts.map(() => '—'));
  await call('DELETE', `${path}/${id}`);
  await expectAccessibleInBoth(page);
});

test('others are told who may see it', async () => {
  const page = await openAs(console, demo, 'owner');
  await page.goto(demo.url('history'));
  await page.getByRole('link', { name: 'Settings' }).waitFor();
  expect(await page.getByRole('link', { name: 'Administration' }).count()).toBe(0);
  for (const path of screens) {
    await page.goto(at(path));
    await page.getByText('Only administrators can see this page').waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
  }
  await expectAccessible(page);
});
