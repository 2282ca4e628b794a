// Slow: a task is printed as a document: its head and its whole log, without the parts of the screen.

import { expect, test } from 'vitest';
import { useConsole } from '../helpers/console.ts';
import { addProgram, launchTask, untilTask } from '../helpers/console-tasks.ts';
import { useDemo } from '../helpers/demo.ts';

const console = useConsole();
const demo = useDemo(console);

test('a task is printed by the menu and by keys, with its reason and all lines of its log', async () => {
  const template = await addProgram(demo, 'Count', 'seq -f "line %g" 400\nexit 3\n');
  const { id } = await launchTask(demo, template);
  await untilTask(demo, id, 'error');
  const page = await demo.enter(`tasks/${id}`);
  await page.addInitScript(() => {
    globalThis.print = () => document.body.setAttribute('data-printed', '');
  });
  await page.reload();
  const sheet = page.locator('[data-print-sheet]');
  const untilPrinted = () => page.locator('body[data-printed]').waitFor();
  await page.getByRole('button', { name: 'Download' }).click();
  await page.getByRole('menuitem', { name: 'Print' }).click();
  await untilPrinted();
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const text = await sheet.innerText();
  expect(text).toContain('Count › Task');
  expect(text).toContain('exit code 3');
  expect(text).toContain('line 1\nline 2\n');
  expect(text).toContain('line 400');
  // Nothing else is on the paper, and the log is on several pages.
  expect(await page.locator('#root').isVisible()).toBe(false);
  expect(await sheet.getByRole('button').count()).toBe(0);
  const pages = (await page.pdf()).toString('latin1').match(/\/Type \/Page\b/g) ?? [];
  expect(pages.length).toBeGreaterThan(3);
  await page.evaluate(() => {
    document.body.removeAttribute('data-printed');
    dispatchEvent(new Event('afterprint'));
  });
  await sheet.waitFor({ state: 'detached' });
  await page.emulateMedia({ media: 'screen' });
  await page.getByRole('log').focus();
  await page.keyboard.press('Control+p');
  await untilPrinted();
});
