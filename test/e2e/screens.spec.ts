// What holds on every screen: language and theme stay, and nobody looks without a session.

import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import type { Task } from '#shared/api/tasks.ts';
import {
  callApi,
  ensureDemo,
  openDemo,
  expectAccessible,
  expectNoComplaints,
  useConsole,
} from '../helpers/console.ts';
import { addProgram, launchTask, untilTask } from '../helpers/console-tasks.ts';
import { until } from '../helpers/until.ts';

const console = useConsole();
const { open, signIn } = console;

async function runOnce(page: Page): Promise<void> {
  await ensureDemo(console, page);
  const tasks = await callApi<Task[]>(page, 'get', '/api/project/1/tasks');
  if (tasks.length > 0) return;
  const { id } = await launchTask(page, await addProgram(console, page, 'Quick', 'echo done\n'));
  await untilTask(page, id, 'success');
}

test('a chosen language and theme stay, and the page says so', async () => {
  const page = await open();
  await page.waitForURL('**/auth/login');
  await page.evaluate(() => localStorage.setItem('lang', 'de'));
  await page.reload();
  await page.getByRole('button', { name: 'Anmelden', exact: true }).waitFor();
  await expect.poll(() => page.getAttribute('html', 'lang')).toBe('de');
  await page.evaluate(() => localStorage.setItem('lang', ''));
  await page.reload();
  await runOnce(page);
  await page.goto(`${console.server.address}/project/1/history`);
  await page.getByRole('switch', { name: 'Dark mode' }).click();
  const scheme = (): Promise<string | null> =>
    page.getAttribute('html', 'data-mantine-color-scheme');
  await until(async () => (await scheme()) === 'dark');
  await page.reload();
  await expect.poll(scheme).toBe('dark');
  expectNoComplaints();
});

test('somebody without a session is asked to sign in, and then sees what they asked for', async () => {
  await runOnce(await open(null));
  const page = await open('/project/1/templates/1?t=1');
  await page.waitForURL('**/auth/login**');
  await signIn(page);
  await page.waitForURL('**/project/1/templates/1?t=1');
  await page.getByRole('dialog').getByText('Task #1', { exact: true }).waitFor();
  expectNoComplaints();
});

test('the sidebar becomes a rail of icons, and stays one', async () => {
  const page = await openDemo(console);
  await page.goto(`${console.server.address}/project/1/templates`);
  const width = async () => (await page.getByRole('complementary').boundingBox())?.width;
  await expect.poll(width).toBe(260);
  await page.getByRole('button', { name: 'Icons only' }).click();
  await expect.poll(width).toBe(63);
  await page.reload();
  await page.getByRole('link', { name: 'Key Store' }).click();
  await page.waitForURL('**/project/1/keys');
  await expect.poll(width).toBe(63);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Icons only' }).click();
  await expect.poll(width).toBe(260);
  expectNoComplaints();
});
