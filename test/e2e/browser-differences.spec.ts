// Slow: what browsers do differently: the clipboard, downloads, dragging, code editors, paper,
// scrollbars and themes. With the main journeys, it runs in Firefox and WebKitGTK before a release.

import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import type { Environment } from '#shared/api/environments.ts';
import { watchCopies } from '../helpers/clipboard.ts';
import { shownLines, useConsole } from '../helpers/console.ts';
import { addProgram, launchTask, untilTask } from '../helpers/console-tasks.ts';
import { useDemo } from '../helpers/demo.ts';
import { saveText } from '../helpers/download.ts';

const console = useConsole();
const demo = useDemo(console);

async function openCount(name: string): Promise<Page> {
  const template = await addProgram(demo, name, 'seq -f "line %g" 300\n');
  const { id } = await launchTask(demo, template);
  await untilTask(demo, id, 'success');
  return demo.enter(`tasks/${id}`);
}

test('marked lines of a log are copied, and the log is downloaded', async () => {
  const page = await openCount('Copied');
  const log = page.getByRole('log');
  await log.press('End');
  await log.getByText('line 300', { exact: true }).waitFor();
  const lines = await shownLines(page);
  const last = lines.find(({ text }) => text === 'line 300')?.number ?? 0;
  await page.getByRole('link', { name: `Line ${last - 2}`, exact: true }).click();
  await page.getByRole('link', { name: `Line ${last}`, exact: true }).click({
    modifiers: ['Shift'],
  });
  await page.waitForURL(`**?line=${last - 2}-${last}`);
  const copied = await watchCopies(page);
  const bar = page.getByRole('region', { name: 'Marked lines' });
  await bar.getByRole('button', { name: 'Copy text' }).click();
  await page.getByText('3 lines copied to the clipboard').waitFor();
  await expect.poll(copied).toBe('line 298\nline 299\nline 300');
  await bar.getByRole('button', { name: 'Copy link' }).click();
  await expect.poll(copied).toBe(page.url());

  await page.getByRole('button', { name: 'Download', exact: true }).click();
  const text = await saveText(page, () =>
    page.getByRole('menuitem', { name: 'Plain text', exact: true }).click(),
  );
  expect(text).toContain('line 1\nline 2\n');
  expect(text).toContain('line 299\nline 300\n');
});

test('rows of a list and nodes of a workflow are dragged by the mouse', async () => {
  const page = await demo.enter('templates');
  await page.getByRole('button', { name: 'Edit Views' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Views' });
  for (const [index, title] of ['Stations', 'Trains'].entries()) {
    await dialog.getByRole('button', { name: 'Add view' }).click();
    await dialog.getByLabel(`Title of view ${index + 1}`).fill(title);
  }
  const grip = (name: string) => dialog.getByRole('button', { name: `Move ${name}` });
  const target = await grip('Stations').boundingBox();
  await grip('Trains').hover();
  await page.mouse.down();
  await page.mouse.move(target?.x ?? 0, (target?.y ?? 0) + 2, { steps: 8 });
  await page.mouse.up();
  await expect.poll(() => dialog.getByLabel('Title of view 1').inputValue()).toBe('Trains');

  const editor = await demo.enter('workflows/new');
  const add = editor.getByRole('group', { name: 'Add a node' });
  await add.getByRole('button', { name: 'Wait' }).click();
  await add.getByRole('button', { name: 'Approval' }).click();
  await editor.getByRole('button', { name: 'Do not start after Wait' }).click();
  const drawing = editor.getByRole('region', { name: 'Graph of the workflow' });
  await drawing.getByRole('button', { name: 'Fit to screen' }).click();
  const from = drawing.locator('.react-flow__node', { hasText: 'Wait' }).locator('.source');
  const to = drawing.locator('.react-flow__node', { hasText: 'Approval' }).locator('.target');
  await from.dragTo(to);
  await drawing.getByRole('button', { name: 'From Wait to Approval: On success' }).waitFor();
});

test('code is typed, cut and pasted in its editor', async () => {
  const page = await demo.enter('environment?edit=new');
  const dialog = page.getByRole('dialog', { name: 'New Environment' });
  await dialog.getByLabel('Name').fill('Pasted');
  await dialog
    .getByRole('radiogroup', { name: 'Extra variables as' })
    .getByText('JSON', { exact: true })
    .click();
  const editor = page.getByRole('textbox', { name: 'Extra variables as JSON' });
  await editor.click();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('{"port": 8080, "name": "Yard"}');
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Control+X');
  await expect.poll(() => editor.innerText()).not.toContain('8080');
  await page.keyboard.press('Control+V');
  await expect.poll(() => editor.innerText()).toContain('8080');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Environment Pasted created').waitFor();
  const made = await demo.call<Environment[]>('GET', demo.api('environment'));
  const { json = '' } = made.find(({ name }) => name === 'Pasted') ?? {};
  expect(JSON.parse(json)).toEqual({ port: 8080, name: 'Yard' });
});

test('bars of scrolling neither widen the form of a template nor take its columns', async () => {
  const page = await demo.enter(`templates?edit=${demo.template(3)}`);
  const form = page.getByRole('form', { name: 'Edit template' });
  await form.waitFor();
  for (const width of [1366, 960, 360]) {
    await page.setViewportSize({ width, height: 657 });
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
      .toBeLessThanOrEqual(0);
  }
  await page.setViewportSize({ width: 1366, height: 657 });
  const left = async (label: string) => (await form.getByLabel(label).first().boundingBox())?.x;
  const columns = await Promise.all(['Dry run', 'Diff', 'Limit', 'Tags'].map(left));
  expect(new Set(columns).size).toBeGreaterThan(1);
});

test('a task is printed without the parts of the screen, in light colours', async () => {
  const page = await openCount('Printed');
  await page.getByRole('log').getByText('line 300', { exact: true }).waitFor();
  await page.evaluate(() => {
    globalThis.print = () => document.body.setAttribute('data-printed', '');
  });
  await page.getByRole('button', { name: 'Download', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Print' }).click();
  await page.locator('body[data-printed]').waitFor();
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const sheet = page.locator('[data-print-sheet]');
  const text = await sheet.innerText();
  expect(text).toContain('line 1\nline 2\n');
  expect(text).toContain('line 300');
  expect(await page.locator('#root').isVisible()).toBe(false);
});

test('the theme follows the system, and who signs out is asked to sign in', async () => {
  const page = await console.open(null, { isNew: true });
  await page.goto(console.server.address);
  await console.signIn(page);
  await page.getByRole('button', { name: /Administrator/ }).waitFor();
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(background).not.toBe(light);
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(background).toBe(light);
  await page.getByRole('button', { name: /Administrator/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL('**/auth/login');
  await page.getByLabel('Username').waitFor();
});
