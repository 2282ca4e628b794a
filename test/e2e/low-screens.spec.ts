// Slow: whole pages at the size of a laptop that is zoomed to 200 %, and with scroll bars that take room.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { launchChromium } from '../helpers/chromium.ts';
import { useConsole } from '../helpers/console.ts';
import { addProgram, launchTask, untilTask } from '../helpers/console-tasks.ts';
import { useDemo } from '../helpers/demo.ts';

const console = useConsole();
const demo = useDemo(console);

test('the log shows at least eight lines at 683 × 328 px', async () => {
  const id = await addProgram(demo, 'Many lines', 'seq 100\n');
  const { id: task } = await launchTask(demo, id);
  await untilTask(demo, task, 'success');
  const page = await console.enter({ isNew: true, viewport: { width: 683, height: 328 } });
  await page.goto(demo.url(`tasks/${task}`));
  const countLines = () =>
    page.getByRole('log').evaluate((log) => {
      const { top, bottom } = log.getBoundingClientRect();
      return (Math.min(bottom, innerHeight) - Math.max(top, 0)) / 20;
    });
  await expect.poll(countLines).toBeGreaterThanOrEqual(8);
});

test('the headings of the page for a new project leave out no level', async () => {
  const page = await console.enter();
  await page.goto(`${console.server.address}/project/new`);
  await page.getByRole('button', { name: 'Create', exact: true }).waitFor();
  const levels = await page
    .getByRole('main')
    .locator('h1, h2, h3, h4')
    .evaluateAll((all) => all.map(({ tagName }) => Number(tagName.slice(1))));
  expect(levels[0]).toBe(1);
  expect(levels.every((level, index) => level - (levels[index - 1] ?? 0) <= 1)).toBe(true);
});

test('the current tab is visible on a narrow screen', async () => {
  const page = await console.enter({ isNew: true, viewport: { width: 360, height: 640 } });
  await page.goto(`${console.server.address}/health`);
  const tab = page.getByRole('main').getByRole('link', { name: 'System health' });
  const right = () => tab.evaluate((link) => link.getBoundingClientRect().right);
  await expect.poll(right).toBeLessThanOrEqual(360);
});

const forms = [
  'templates/new/edit',
  'keys?edit=new',
  'schedules?edit=new',
  'inventory?edit=new',
  'alerts?edit=new',
  'settings',
];

/** The columns of all grids of forms, and how far anything but a table can be scrolled sideways. */
const layout = (page: Page) =>
  page.evaluate(() => {
    const all = [...document.querySelectorAll<HTMLElement>('form, form *, [role="dialog"] *')];
    const columns = all
      .filter((one) => getComputedStyle(one).display === 'grid')
      .map((one) => getComputedStyle(one).gridTemplateColumns.split(' ').length);
    const { scrollWidth, clientWidth } = document.documentElement;
    return { columns, sideways: scrollWidth - clientWidth };
  });

test.each([1366, 360])(
  'at %d px with scroll bars that take room, no form loses a column or scrolls sideways',
  async (width) => {
    const first = await console.enter({ isNew: true, viewport: { width, height: 657 } });
    const storageState = await first.context().storageState();
    const browser = await launchChromium({ withBars: true });
    try {
      const options = { viewport: { width, height: 657 }, storageState };
      const second = await (await browser.newContext(options)).newPage();
      for (const form of forms) {
        const seen = [];
        for (const page of [first, second]) {
          await page.goto(demo.url(form));
          await page.getByRole('textbox').first().waitFor();
          await expect.poll(async () => (await layout(page)).sideways).toBe(0);
          seen.push((await layout(page)).columns);
        }
        expect([form, seen[1]]).toEqual([form, seen[0]]);
      }
    } finally {
      await browser.close();
    }
  },
);
