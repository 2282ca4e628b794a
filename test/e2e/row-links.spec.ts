// Slow: several lists of a whole server.
// A row opens what its name links to, wherever it is clicked.

import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { useConsole } from '../helpers/console.ts';
import { addProgram, launchTask, untilTask } from '../helpers/console-tasks.ts';
import { useDemo } from '../helpers/demo.ts';
import { settle, watchRequests } from '../helpers/settle.ts';

const console = useConsole();
const demo = useDemo(console);

/** A page on which `settle` works. */
async function enter(screen: string) {
  const page = await console.enter({ isNew: true });
  await watchRequests(page);
  await page.goto(demo.url(screen));
  return page;
}

/** The cell of a row below this heading. */
async function cellBelow(row: Locator, heading: string): Promise<Locator> {
  await row.waitFor();
  await settle(row.page());
  const headings = await row.page().getByRole('columnheader').allInnerTexts();
  return row.getByRole('cell').nth(headings.findIndex((one) => one.trim() === heading));
}

test('a row of templates opens its page, and a new tab with Ctrl or the middle button', async () => {
  const id = await addProgram(demo, 'Row of a program', 'echo\n');
  const page = await enter('templates');
  const address = new RegExp(`/templates/${id}$`, 'v');
  const cell = await cellBelow(page.getByRole('row', { name: 'Row of a program' }), 'Last task');
  expect(await cell.evaluate((one) => getComputedStyle(one).cursor)).toBe('pointer');
  const inNewTab: Parameters<Locator['click']>[0][] = [
    { modifiers: ['Control'] },
    { button: 'middle' },
  ];
  for (const how of inNewTab) {
    const tab = page.context().waitForEvent('page');
    await cell.click(how);
    const opened = await tab;
    await opened.waitForURL(address);
    await opened.close();
  }
  expect(page.url()).not.toMatch(address);
  await cell.click();
  await page.waitForURL(address);
});

test('a row whose name opens a dialog opens it, but not after text was marked', async () => {
  const { id } = await launchTask(demo, await addProgram(demo, 'Row of a task', 'echo\n'), {});
  await untilTask(demo, id, 'success');
  const page = await enter('history');
  const row = page.getByRole('row', { name: `#${id}` });
  const cell = await cellBelow(row, 'User');
  const box = await cell.boundingBox();
  if (!box) throw new Error('The cell is not in sight');
  await page.mouse.move(box.x + 1, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + 60, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  expect(await page.evaluate(() => String(getSelection()))).not.toBe('');
  expect(await page.getByRole('dialog').count()).toBe(0);
  await cell.click();
  await page.getByRole('dialog', { name: `#${id}` }).waitFor();
  await page.goto(demo.url('keys'));
  const key = page.getByRole('row').nth(1);
  await (await cellBelow(key, 'Type')).click();
  await page.getByRole('dialog').waitFor();
});
