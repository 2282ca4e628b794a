// Slow: lists of a whole server at several widths, with a task that runs meanwhile.
// Columns stay in place whatever their rows have, and the buttons of a row stay in sight.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useConsole } from '../helpers/console.ts';
import { addProgram, launchTask, untilTask } from '../helpers/console-tasks.ts';
import { useDemo } from '../helpers/demo.ts';
import { holdDemo } from '../helpers/held-demo.ts';

const console = useConsole();
const demo = useDemo(console);

const enter = (width: number) => console.enter({ isNew: true, viewport: { width, height: 700 } });

/** The left edges of the columns. */
const edges = (page: Page) =>
  page
    .getByRole('columnheader')
    .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().left)));

test.each([768, 1366, 1920])('columns stay in place at %d px when a task starts', async (width) => {
  const name = `Wait ${width}`;
  const id = await addProgram(demo, name, 'echo\n');
  const page = await enter(width);
  await page.goto(demo.url('templates'));
  const row = page.getByRole('row', { name });
  await row.getByText('Never run').waitFor();
  const before = await edges(page);
  const { id: task } = await launchTask(demo, id, {});
  await untilTask(demo, task, 'success');
  await row.getByText('Success').waitFor();
  expect(await edges(page)).toEqual(before);
});

test.each([768, 1366, 1440, 1920])('the usual columns fit at %d px', async (width) => {
  const page = await enter(width);
  await page.goto(demo.url('templates'));
  await page.getByRole('link', { name: '1. ' }).first().waitFor();
  const hidden = await page
    .getByRole('table', { name: 'Task Templates' })
    .evaluate((table) => table.scrollWidth - (table.parentElement?.clientWidth ?? 0));
  expect(hidden).toBeLessThanOrEqual(0);
});

test('columns stay in place while a task runs, and when a filter changes', async () => {
  const release = await holdDemo(demo);
  const page = await enter(1366);
  await page.goto(demo.url('templates'));
  await page.getByRole('link', { name: '1. ' }).first().waitFor();
  const ofTemplates = await edges(page);
  const { id } = await launchTask(demo, demo.template(1), {});
  await page.getByRole('row', { name: '1. ' }).getByText('Running').waitFor();
  expect(await edges(page)).toEqual(ofTemplates);
  await release();
  await untilTask(demo, id, 'success');
  await page.goto(demo.url('history'));
  await page.getByRole('link', { name: `#${id}` }).waitFor();
  const ofTasks = await edges(page);
  await page.goto(demo.url('history?status=success'));
  await page.getByRole('link', { name: `#${id}` }).waitFor();
  expect(await edges(page)).toEqual(ofTasks);
});

test.each([768, 1366])(
  'with all columns, the buttons of rows stay in sight at %d px',
  async (width) => {
    const page = await enter(width);
    await page.goto(demo.url('templates'));
    await page.getByRole('link', { name: '1. ' }).first().waitFor();
    await page.getByRole('button', { name: 'Columns' }).click();
    const boxes = page.getByRole('menuitemcheckbox');
    await boxes.first().waitFor();
    for (const box of await boxes.all()) await box.check();
    await page.keyboard.press('Escape');
    const table = page.getByRole('table', { name: 'Task Templates' });
    const look = () =>
      table.evaluate((element) => {
        const frame = element.parentElement;
        const cell = element.querySelector('td[data-buttons]');
        const button = cell?.querySelector('button');
        if (!frame || !cell || !button) return null;
        const edge = frame.getBoundingClientRect();
        const box = button.getBoundingClientRect();
        const top = document.elementFromPoint(box.x + 3, box.y + box.height / 2);
        return {
          scrolls: frame.scrollWidth > frame.clientWidth,
          isInside: box.left >= edge.left && box.right <= edge.right,
          isOnTop: button.contains(top),
          isOpaque: getComputedStyle(cell).backgroundColor !== 'rgba(0, 0, 0, 0)',
        };
      });
    const inSight = { scrolls: true, isInside: true, isOnTop: true, isOpaque: true };
    expect(await look()).toEqual(inSight);
    await table.evaluate((element) => element.parentElement?.scrollTo({ left: 200 }));
    expect(await look()).toEqual(inSight);
  },
);
