// What holds on every screen: language and theme stay, and nobody looks without a session.

import { expect, test } from 'vitest';
import { expectAccessible, expectNoComplaints, letIn, useConsole } from '../helpers/console.ts';
import { addProgram, launchTask, untilTask } from '../helpers/console-tasks.ts';
import { useDemo } from '../helpers/demo.ts';

const console = useConsole();
const { open, signIn } = console;
const demo = useDemo(console);

test('a chosen language and theme stay, and the page says so', async () => {
  const page = await open();
  await page.waitForURL('**/auth/login');
  await page.evaluate(() => localStorage.setItem('lang', 'de'));
  await page.reload();
  await page.getByRole('button', { name: 'Anmelden', exact: true }).waitFor();
  await expect.poll(() => page.getAttribute('html', 'lang')).toBe('de');
  await page.evaluate(() => localStorage.setItem('lang', ''));
  await letIn(page, 'admin', console.server.password);
  await page.goto(demo.url('history'));
  await page.getByRole('switch', { name: 'Dark mode' }).click();
  const scheme = (): Promise<string | null> =>
    page.getAttribute('html', 'data-mantine-color-scheme');
  await expect.poll(scheme).toBe('dark');
  await page.reload();
  await expect.poll(scheme).toBe('dark');
  expectNoComplaints();
});

test('somebody without a session is asked to sign in, and then sees what they asked for', async () => {
  const template = await addProgram(demo, 'Quick', 'echo done\n');
  const { id } = await launchTask(demo, template);
  await untilTask(demo, id, 'success');
  const path = demo.path(`templates/${template}?t=${id}`);
  const page = await open(path);
  await page.waitForURL('**/auth/login**');
  await signIn(page);
  await page.waitForURL(`**${path}`);
  await page.getByRole('dialog').getByText(`Task #${id}`, { exact: true }).waitFor();
  expectNoComplaints();
});

test('the sidebar becomes a rail of icons, and stays one', async () => {
  const page = await console.enter();
  await page.goto(demo.url('templates'));
  const width = async () => (await page.getByRole('complementary').boundingBox())?.width;
  await expect.poll(width).toBe(260);
  await page.getByRole('button', { name: 'Icons only' }).click();
  await expect.poll(width).toBe(63);
  await page.reload();
  await page.getByRole('link', { name: 'Key Store' }).click();
  await page.waitForURL(`**${demo.path('keys')}`);
  await expect.poll(width).toBe(63);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Icons only' }).click();
  await expect.poll(width).toBe(260);
  expectNoComplaints();
});
