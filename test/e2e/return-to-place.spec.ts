// Returning to a screen, and to the place to which its list was scrolled.
// Slow: long lists are scrolled, left and opened again.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Template } from '#shared/api/templates.ts';
import { useConsole } from '../helpers/console.ts';
import { useDemo } from '../helpers/demo.ts';

const console = useConsole();
const { call } = console;
const demo = useDemo(console);

const placeOf = (page: Page): Promise<number> => page.evaluate(() => Math.round(scrollY));

test('the list of templates is at its place again after a page and a reload, and begins at its top from a link', async () => {
  const [sample] = await call<Template[]>('GET', demo.api('templates'));
  for (let number = 10; number < 50; number += 1) {
    await call('POST', demo.api('templates'), { ...sample, name: `Long list ${number}` });
  }
  const page = await demo.enter('templates');
  const last = page.getByRole('link', { name: 'Long list 49' });
  await last.scrollIntoViewIfNeeded();
  const place = await placeOf(page);
  expect(place).toBeGreaterThan(500);
  await last.click();
  await page.getByRole('heading', { name: 'Long list 49' }).waitFor();
  await page.goBack();
  await last.waitFor();
  await expect.poll(() => placeOf(page)).toBe(place);
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await page.goBack();
  await last.waitFor();
  await expect.poll(() => placeOf(page)).toBe(place);
  await page.reload();
  await last.waitFor();
  await expect.poll(() => placeOf(page)).toBe(place);
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await page.getByRole('link', { name: 'Task Templates' }).click();
  await last.waitFor();
  await expect.poll(() => placeOf(page)).toBe(0);
});

test('a step back while the page is loaded again shows the screen before', async () => {
  const page = await console.enter({ isNew: true });
  await page.goto(demo.url('templates'));
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  // Nothing is drawn without the words, and no screen without the projects.
  const [words, projects] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(/assets\/en-[^/]*\.js$/, (route) => words.promise.then(() => route.continue()));
  await page.route('**/api/projects', (route) => projects.promise.then(() => route.continue()));
  const asked = page.waitForRequest('**/api/projects');
  await page.reload({ waitUntil: 'commit' });
  await asked;
  await page.evaluate(() => history.back());
  await page.waitForURL(demo.url('templates'));
  words.resolve();
  await page.locator('#root > *').first().waitFor({ state: 'attached' });
  projects.resolve();
  await page.getByRole('heading', { name: 'Task Templates' }).waitFor();
});
