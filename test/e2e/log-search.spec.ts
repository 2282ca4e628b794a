// Slow: a log of a hundred thousand lines.
// The search in the log of a task, in a log far larger than what a screen or a page holds.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Task } from '#shared/api/tasks.ts';
import { expectAccessibleInBoth, shownLines, useConsole } from '../helpers/console.ts';
import { addProgram, launchTask, untilTask, writeLog } from '../helpers/console-tasks.ts';
import { useDemo } from '../helpers/demo.ts';
import type { PageOptions } from '../helpers/pages.ts';
import { until } from '../helpers/until.ts';

const console = useConsole();
const demo = useDemo(console);
const lineCount = 100_000;

const textOf = (number: number): string => {
  if (number === 99_000) return `${'wide '.repeat(200)}\u001b[31mnee\u001b[0mdle at the side`;
  return number % 10_000 === 0 ? `a \u001b[31mNee\u001b[32mdle\u001b[0m here` : `line ${number}`;
};

function* allLines(): Generator<string> {
  for (let number = 1; number <= lineCount; number += 1) yield textOf(number);
}

async function openLog(look: PageOptions = {}): Promise<Page> {
  const [done] = await demo.call<Task[]>('GET', demo.api('tasks'));
  const template = done?.template_id ?? (await addProgram(demo, 'Long', 'echo begun\n'));
  const { id } = done ?? (await launchTask(demo, template));
  await untilTask(demo, id, 'success');
  if (!done) await writeLog(console.server.dataDir, id, allLines());
  const page = await console.enter(look);
  await page.goto(demo.url(`history?t=${id}`));
  await until(async () => (await shownLines(page)).at(-1)?.number === lineCount);
  return page;
}

const marked = (page: Page) => page.locator('[data-hit]');

test('finds, counts and shows hits anywhere in a long log, by keyboard', async () => {
  const page = await openLog();
  await page.getByRole('log').press('/');
  const search = page.getByRole('searchbox', { name: 'Search the log' });
  const box = page.getByRole('search');
  await page.keyboard.type('needle');
  await box.getByText('11 of 11').waitFor();
  const seen: unknown[] = [];
  const look = async (key: string, place: string): Promise<void> => {
    await search.press(key);
    await box.getByText(place).waitFor();
    await marked(page)
      .getByText(/needle/i)
      .first()
      .waitFor();
    seen.push(await marked(page).locator('mark').allTextContents());
    seen.push((await marked(page).locator('span').first().textContent()) ?? '');
  };
  await look('Enter', '1 of 11');
  await look('Enter', '2 of 11');
  await look('Shift+Enter', '1 of 11');
  await look('Shift+Enter', '11 of 11');
  await look('Shift+Enter', '10 of 11');
  const hit = ['Nee', 'dle'];
  expect(seen).toEqual([
    hit,
    '10000',
    hit,
    '20000',
    hit,
    '10000',
    hit,
    '100000',
    ['nee', 'dle'],
    '99000',
  ]);
  // The log was scrolled sideways to the hit, which stands behind a thousand characters.
  const place = await until(() => marked(page).locator('mark').first().boundingBox());
  expect(place.x + place.width).toBeLessThan(1280);

  await page.getByRole('button', { name: 'Match case' }).click();
  await box.getByText('1 of 1', { exact: true }).waitFor();
  await search.press('Escape');
  await expect.poll(() => search.inputValue()).toBe('');
  await until(async () => (await page.locator('mark').count()) === 0);
  await page.getByRole('log').press('Control+f');
  await page.keyboard.type('nowhere');
  await box.getByText('No matches').waitFor();
  await search.press('Escape');
  await search.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('can be used on a phone, in light and in dark', async () => {
  const page = await openLog({ viewport: { width: 360, height: 760 } });
  await page.getByRole('searchbox', { name: 'Search the log' }).fill('needle');
  await page.getByRole('search').getByText('11 of 11').waitFor();
  await page.getByRole('button', { name: 'Previous match' }).click();
  await page.getByRole('search').getByText('10 of 11').waitFor();
  await marked(page).locator('mark').first().waitFor();
  await expectAccessibleInBoth(page);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBe(0);
});
