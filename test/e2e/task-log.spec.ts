// Slow: a log of thirty thousand lines, with all that can be done with it.
// The log of an Ansible run in the console: its outline, folds, addresses of lines, wrapping and
// downloads, in the dialog and on the page of a task.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { watchCopies } from '../helpers/clipboard.ts';
import {
  expectAccessible,
  expectAccessibleInBoth,
  shownLines,
  useConsole,
} from '../helpers/console.ts';
import { launchTask, untilTask, writeLog } from '../helpers/console-tasks.ts';
import { useDemo } from '../helpers/demo.ts';
import { contentOf } from '../helpers/download.ts';
import type { PageOptions } from '../helpers/pages.ts';
import { until } from '../helpers/until.ts';

const console = useConsole();
const demo = useDemo(console);
const stars = '*'.repeat(60);
const wide = `wide ${'x'.repeat(1500)} end of it`;

/** An Ansible run of 3 plays with 100 tasks of 100 lines each; two of the tasks fail. */
function* ansibleRun(): Generator<string> {
  for (let play = 1; play <= 3; play += 1) {
    yield `PLAY [Play ${play}] ${stars}`;
    for (let task = 1; task <= 100; task += 1) {
      yield `TASK [Task ${play}.${task}] ${stars}`;
      for (let host = 1; host <= 98; host += 1) yield lineOf(play, task, host);
      yield '';
    }
  }
  yield `PLAY RECAP ${stars}`;
  yield wide;
}

function lineOf(play: number, task: number, host: number): string {
  if (play === 2 && task === 50 && host === 7)
    return `\u001b[0;31mfatal: [h7]: FAILED! => {}\u001b[0m`;
  if (play === 3 && task === 9 && host <= 3) return `fatal: [h${host}]: UNREACHABLE! => {}`;
  if (task % 2 === 0) return `\u001b[0;33mchanged: [h${host}]\u001b[0m`;
  return `\u001b[0;32mok: [h${host}] => needle ${play}.${task}.${host}\u001b[0m`;
}

/**
 * The number of the line with the heading of a task: 100 lines for each task, and one more for each
 * play so far.
 */
const headingOf = (play: number, task: number): number =>
  (play - 1) * 10_001 + 1 + (task - 1) * 100 + 1;
const total = 3 * 10_001 + 2;

/** Opens a task with that log; returns its page or dialog. */
async function openLog(screen: (id: number) => string, look?: PageOptions): Promise<Page> {
  const [done] = await demo.call<{ id: number }[]>('GET', demo.api('tasks?sort=id'));
  const id = done?.id ?? (await launchTask(demo, demo.template(1))).id;
  if (!done) {
    await untilTask(demo, id, 'success');
    await writeLog(console.server.dataDir, id, ansibleRun());
  }
  const page = await console.enter(look);
  await page.goto(demo.url(screen(id)));
  await until(async () => (await shownLines(page)).length > 0);
  return page;
}

const toPage = (id: number): string => `tasks/${id}`;

const fold = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** The numbers of the visible lines. */
const numbers = async (page: Page): Promise<number[]> =>
  (await shownLines(page)).map(({ number }) => number);

test('plays and tasks are folded and unfolded by keyboard, and say how their hosts fared', async () => {
  const page = await openLog(toPage);
  await until(async () => (await numbers(page)).includes(total));
  const log = page.getByRole('log');
  await log.press('Home');
  await fold(page, 'Task Task 1.1').focus();
  await page.keyboard.press('Enter');
  await until(async () => (await numbers(page)).slice(0, 3).join() === '1,2,102');
  await expect.poll(() => fold(page, 'Task Task 1.1').getAttribute('aria-expanded')).toBe('false');
  await page.keyboard.press('Space');
  await until(async () => (await numbers(page)).slice(0, 4).join() === '1,2,3,4');
  await fold(page, 'Play Play 1').press('Enter');
  await until(async () => (await numbers(page)).slice(0, 3).join() === '1,10002,10003');
  const first = log.locator('[data-section=play]').first();
  await expect.poll(() => first.textContent()).toContain('4,900 ok4,900 changed');
  await fold(page, 'Play Play 1').press('Enter');

  await page.getByRole('button', { name: 'Collapse all tasks' }).press('Enter');
  await page.getByRole('button', { name: 'Expand all' }).waitFor();
  await until(async () => (await numbers(page)).slice(0, 3).join() === '1,2,102');
  // Every heading is there once and in its place: 3 plays, 300 tasks, the recap and its line.
  await log.press('End');
  await until(async () => (await numbers(page)).at(-1) === total);
  const tail = (await numbers(page)).slice(-5);
  expect(tail).toEqual([98, 99, 100].map((task) => headingOf(3, task)).concat(total - 1, total));
  const failed = log.locator('[data-failed]');
  await page.getByRole('link', { name: /Task 2\.50/ }).click();
  await failed.getByText('TASK [Task 2.50]').waitFor();
  await expect.poll(() => failed.textContent()).toContain('97 changed1 failed');

  // A hit is shown even if it was in a folded part.
  await page.getByRole('searchbox', { name: 'Search the log' }).fill('needle 3.9.20');
  await page.locator('[data-hit]').getByText('needle 3.9.20').waitFor();
  await expect.poll(() => fold(page, 'Task Task 3.9').getAttribute('aria-expanded')).toBe('true');
  await page.getByRole('button', { name: 'Expand all' }).click();
  await page.getByRole('button', { name: 'Collapse all tasks' }).waitFor();
  // The line at the top of the screen stays there.
  await page.locator('[data-hit]').getByText('needle 3.9.20').waitFor();
});

test('failed tasks stand beside the log and lead to their lines', async () => {
  const page = await openLog((id) => `history?t=${id}`);
  const outline = page.getByRole('navigation', { name: 'Plays and failed tasks' });
  await outline.getByText('2 failed tasks').waitFor();
  await outline.getByText('3 plays').waitFor();
  await outline.getByRole('link', { name: /Task 3\.9.*3 unreachable/ }).press('Enter');
  const line = headingOf(3, 9);
  await page.waitForURL(`**${demo.path('history')}?t=*&line=${line}`);
  await page.locator('[data-marked]').getByText('TASK [Task 3.9]').waitFor();
  await outline.getByRole('button', { name: 'Close the outline' }).click();
  await outline.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Outline, 2 failed tasks' }).click();
  await outline.waitFor();
  await page.getByRole('link', { name: 'Open as page' }).click();
  await page.waitForURL(`**${demo.path('tasks')}/*?line=${line}`);
  await page.locator('[data-marked]').getByText('TASK [Task 3.9]').waitFor();
  await page.getByRole('heading', { name: /Task #\d+/ }).waitFor();
  await expectAccessible(page);
});

test('a line and some lines have an address, which marks them and can be copied', async () => {
  const page = await openLog((id) => `${toPage(id)}?line=15000`);
  const log = page.getByRole('log');
  const marked = page.locator('[data-marked]');
  await until(async () => (await marked.count()) === 1);
  await expect
    .poll(() => page.getByRole('link', { name: 'Line 15000' }).getAttribute('aria-current'))
    .toBe('true');
  await expect
    .poll(() => page.getByRole('button', { name: 'Jump to end' }).textContent())
    .toBe('Jump to end');
  await page.getByRole('link', { name: 'Line 15003' }).click({ modifiers: ['Shift'] });
  await page.waitForURL('**?line=15000-15003');
  await log.press('Shift+ArrowDown');
  await page.waitForURL('**?line=15000-15004');
  const bar = page.getByRole('region', { name: 'Marked lines' });
  await bar.getByText('Lines 15000–15004').waitFor();
  await expect.poll(() => marked.count()).toBe(5);
  const copied = await watchCopies(page);
  // Safari takes a text within the click only, so the clipboard does not wait for the lines.
  const arrival = Promise.withResolvers<void>();
  await page.route('**/raw_output?*', async (route) => {
    await arrival.promise;
    await route.continue();
  });
  await bar.getByRole('button', { name: 'Copy text' }).click();
  const isAsked = () => page.evaluate(() => document.documentElement.dataset['copying']);
  await expect.poll(isAsked).toBe('true');
  arrival.resolve();
  await page.getByText('5 lines copied to the clipboard').waitFor();
  // The copy has neither line numbers nor colours.
  const lines = [...ansibleRun()].slice(14_999, 15_004);
  // oxlint-disable-next-line no-control-regex -- colours are not copied
  await expect.poll(copied).toBe(lines.join('\n').replace(/\u001b\[[\d;]*m/g, ''));
  await bar.getByRole('button', { name: 'Copy link' }).click();
  await until(async () => (await copied()) === page.url());
  await page.getByLabel('Go to line').fill('77');
  await page.getByLabel('Go to line').press('Enter');
  await page.waitForURL('**?line=77');
  await until(async () => (await numbers(page)).includes(77));
  await page.reload();
  await until(async () => (await numbers(page)).includes(77));
  await page.getByRole('button', { name: 'Unmark' }).click();
  await page.waitForURL(/tasks\/\d+$/);
  await marked.waitFor({ state: 'detached' });
});

test('long lines are wrapped on demand, from the first to the last', async () => {
  const page = await openLog(toPage);
  await until(async () => (await numbers(page)).at(-1) === total);
  const log = page.getByRole('log');
  const last = log.getByText('end of it');
  const sideways = () => log.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  await expect.poll(sideways).toBeGreaterThan(1000);
  await page.getByLabel('Wrap lines').click();
  await until(async () => (await sideways()) <= 0);
  const room = await until(() => log.boundingBox());
  const end = await until(() => last.boundingBox());
  // All rows of the wrapped last line are visible, down to the end of the log.
  expect(end.height).toBeGreaterThan(100);
  expect(Math.abs(end.y + end.height - (room.y + room.height))).toBeLessThan(3);
  await log.press('PageUp');
  await log.press('PageUp');
  await expect.poll(async () => (await numbers(page)).at(-1)).toBeLessThan(total);
  await page.getByRole('button', { name: 'Jump to end' }).click();
  await until(async () => (await numbers(page)).at(-1) === total);
  await log.press('Home');
  await until(async () => (await numbers(page))[0] === 1);
  await page.mouse.move(room.x + 200, room.y + 200);
  await page.mouse.wheel(0, 400);
  await until(async () => (await numbers(page)).includes(60));
});

test('a log is downloaded plain, with times and with colours, and shown raw', async () => {
  const page = await openLog(toPage);
  const download = async (name: string): Promise<string> => {
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    const begun = page.waitForEvent('download');
    await page.getByRole('menuitem', { name, exact: true }).click();
    const file = await begun;
    expect(file.suggestedFilename()).toMatch(/^task_\d+\.txt$/);
    return contentOf(file);
  };
  const lines = [...ansibleRun()];
  // oxlint-disable-next-line no-control-regex -- colours are shown or not
  const plain = lines.map((line) => line.replace(/\u001b\[[\d;]*m/g, ''));
  expect((await download('Plain text')).split('\n').slice(0, -1)).toEqual(plain);
  expect((await download('With colors')).split('\n').slice(0, -1)).toEqual(lines);
  expect(await download('With timestamps')).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z PLAY \[Play 1\]/);
  await page.getByRole('button', { name: 'Download', exact: true }).click();
  const opened = page.waitForEvent('popup');
  await page.getByRole('menuitem', { name: 'Raw log in a new tab' }).click();
  const raw = await opened;
  await raw.getByText('PLAY [Play 1]').waitFor();
  expect(raw.url()).toContain('inline=on');
});

test('all of it can be used on a phone, in light and in dark', async () => {
  const page = await openLog(toPage, { viewport: { width: 360, height: 760 } });
  await page.getByRole('button', { name: 'Outline, 2 failed tasks' }).click();
  const outline = page.getByRole('navigation', { name: 'Plays and failed tasks' });
  await outline.getByRole('link', { name: /Task 2\.50/ }).click();
  await page.locator('[data-marked]').waitFor();
  await expectAccessibleInBoth(page);
  await outline.getByRole('button', { name: 'Close the outline' }).click();
  await page.getByLabel('Wrap lines').click();
  await fold(page, 'Task Task 2.50').click();
  await expectAccessibleInBoth(page);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBe(0);
});
