// Slow: a run of two hundred hosts, in both themes and on a narrow screen.
// A run over time: its tasks and hosts as lanes, zoomed and scrolled, with links to the results.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessibleInBoth, useConsole } from '../helpers/console.ts';
import { addProgram, launchTask, untilTask } from '../helpers/console-tasks.ts';
import { useDemo } from '../helpers/demo.ts';
import { runOf, writeRun } from '../helpers/run-results.ts';

const console = useConsole();
const demo = useDemo(console);

let written: Promise<number> | undefined;

/** A run of 200 hosts and 40 tasks, of which the host 50 fails in the eighth. */
function manyHosts(): Promise<number> {
  written ??= (async () => {
    const { id } = await launchTask(demo, await addProgram(demo, 'Many', 'echo done\n'));
    await untilTask(demo, id, 'success');
    const names = Array.from({ length: 200 }, (_, index) => `web-${index + 1}`);
    const tasks = Array.from({ length: 40 }, (_, index) => ({
      name: `Step ${index + 1}`,
      on: (host: number) =>
        index === 7 && host === 49
          ? ({ state: 'failed', message: 'No space left' } as const)
          : ({ state: host % 3 === 0 ? 'changed' : 'ok' } as const),
    }));
    await writeRun(console.server.dataDir, id, runOf(names, tasks));
    return id;
  })();
  return written;
}

const table = (page: Page) => page.getByRole('table', { name: 'Timeline of the run' });

test('a failed task is marked, its bar leads to its results, and Back returns', async () => {
  const id = await manyHosts();
  const page = await console.enter();
  await page.goto(demo.url(`tasks/${id}?view=tasks`));
  await page
    .getByRole('navigation', { name: 'Views of the run' })
    .getByRole('link', { name: 'Timeline' })
    .click();
  const row = table(page).getByRole('row', { name: /Step 8/ });
  await row.locator('b', { hasText: '1' }).waitFor();
  await expectAccessibleInBoth(page);
  await row.locator('td > svg > path[data-state=failed]').hover();
  await row.getByRole('link', { name: /^Step 8 · 1 failed/ }).click();
  await page.waitForURL(/view=tasks&section=9/);
  await page.getByText('No space left').waitFor();
  await page.goBack();
  await row.waitFor();
});

test('hosts have lanes with a bar for each result, which opens at a click', async () => {
  const id = await manyHosts();
  const page = await console.enter();
  await page.goto(demo.url(`tasks/${id}?view=timeline`));
  await page.getByRole('radiogroup', { name: 'Lanes' }).getByText('Hosts').click();
  await page.waitForURL(/lanes=hosts/);
  const row = table(page).getByRole('row', { name: /web-50\b/ });
  await row.locator('path[data-state=failed]').hover();
  await row.getByRole('link', { name: /^web-50 · Step 8 · Failed/ }).click();
  await page.waitForURL(/view=hosts&host=web-50&section=9/);
  await page.getByText('No space left').waitFor();
  expect(
    await page.getByRole('button', { name: /^Failed Step 8/ }).getAttribute('aria-expanded'),
  ).toBe('true');
});

test('the wheel and keys zoom, and the scrollbar below moves through the run', async () => {
  const id = await manyHosts();
  const page = await console.enter();
  await page.goto(demo.url(`tasks/${id}?view=timeline&lanes=hosts`));
  const row = table(page).getByRole('row', { name: /web-50\b/ });
  const failed = row.locator('path[data-state=failed]');
  await failed.hover();
  const before = await failed.boundingBox();
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -300);
  await page.keyboard.up('Control');
  await expect
    .poll(async () => (await failed.boundingBox())?.width)
    .toBeGreaterThan((before?.width ?? Infinity) * 2);
  await page.waitForURL(/zoom=\d+-\d+/);
  const zoomed = await failed.boundingBox();
  await page.reload();
  await expect.poll(async () => (await failed.boundingBox())?.width).toBe(zoomed?.width);
  const part = page.getByRole('region', { name: 'Visible part of the run' });
  await part.evaluate((bar) => bar.scrollTo({ left: bar.scrollWidth }));
  await expect.poll(() => failed.count()).toBe(0);
  await page.getByRole('button', { name: 'Fit to screen' }).click();
  await failed.waitFor();
  await row.getByRole('link', { name: 'web-50', exact: true }).focus();
  await page.keyboard.press('End');
  await table(page)
    .getByRole('link', { name: /^web-200 · Step \d+ ·/ })
    .waitFor();
});

test('nothing leaves a narrow screen', async () => {
  const id = await manyHosts();
  const page = await console.enter({ viewport: { width: 360, height: 800 } });
  await page.goto(demo.url(`tasks/${id}?view=timeline`));
  await table(page)
    .getByRole('row', { name: /Step 8/ })
    .waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});
