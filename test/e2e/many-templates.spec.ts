// Before a release: hundreds of rows are made, drawn and looked at one by one.
// The list of templates with very many templates.

import { expect, test } from 'vitest';
import type { Template } from '#shared/api/templates.ts';
import { expectAccessible, useConsole } from '../helpers/console.ts';
import { useDemo } from '../helpers/demo.ts';
import { until } from '../helpers/until.ts';

const console = useConsole();
const { call } = console;
const demo = useDemo(console);

test('300 templates with long names are shown, searched and expanded', async () => {
  const [sample] = await call<Template[]>('GET', demo.api('templates'));
  const long = 'A template whose name goes on for as long as anybody would care to read it';
  for (let number = 0; number < 300; number += 1) {
    const name = `${long} ${String(number).padStart(3, '0')}`;
    await call('POST', demo.api('templates'), { ...sample, name });
  }
  const page = await demo.enter('templates');
  await page.getByRole('link', { name: `${long} 000` }).waitFor();
  // A page of fifty, below the headings; the rest of the screen is counted as well.
  await expect.poll(() => page.getByRole('row').count()).toBe(51);
  expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(3000);
  const heights = await page
    .getByRole('row')
    .evaluateAll((rows) =>
      rows.slice(1).map((row) => Math.round(row.getBoundingClientRect().height)),
    );
  expect(new Set(heights).size).toBe(1);
  for (const width of [1100, 1280, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    // The columns fit, so that the menus of the rows are in sight, and the names have most room.
    const [hidden, name, widest] = await page
      .getByRole('table')
      .evaluate((table) => [
        table.scrollWidth - (table.parentElement?.clientWidth ?? 0),
        ...[0, 1].map((from) =>
          Math.max(
            ...[...table.querySelectorAll('thead th:not([data-selection])')]
              .slice(from, from === 0 ? 1 : undefined)
              .map((cell) => cell.getBoundingClientRect().width),
          ),
        ),
      ]);
    expect({ width, hidden: Math.max(hidden ?? 0, 0) }).toEqual({ width, hidden: 0 });
    expect(name).toBeGreaterThan(1.2 * (widest ?? 0));
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: 'Next' }).click();
  await page.waitForURL('**/templates?page=2');
  await page.getByText('51–100 of 308').waitFor();
  await page.goBack();
  await page.getByText('1–50 of 308').waitFor();
  await page.getByRole('searchbox', { name: 'Search' }).fill('read 290');
  await until(async () => (await page.getByRole('row').count()) === 2);
  await expect.poll(() => new URL(page.url()).search).toBe('?q=read+290');
  await page.getByRole('button', { name: `Last tasks of ${long} 290` }).click();
  await page.getByText('No tasks yet').waitFor();
  await page.setViewportSize({ width: 360, height: 800 });
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBe(0);
  await expectAccessible(page);
});
