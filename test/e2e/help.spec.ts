// The guide inside the console: everybody reads it, finds what they look for, and nothing of it comes from elsewhere.
// Slow: everybody reads the guide, which few changes touch.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { watchCopies } from '../helpers/clipboard.ts';
import { expectAccessibleAtAllSizes, useConsole } from '../helpers/console.ts';
import { useDemo } from '../helpers/demo.ts';

const console = useConsole();
const demo = useDemo(console);

const search = (page: Page) => page.getByRole('searchbox', { name: 'Search the guide' });

test('somebody who is not signed in reads the guide, from its contents to a heading', async () => {
  const elsewhere: string[] = [];
  const page = await console.open('/help');
  page.on('request', (request) => {
    if (!request.url().startsWith(console.server.address)) elsewhere.push(request.url());
  });
  await page.getByRole('heading', { level: 1, name: 'Guide' }).waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Settings', exact: true }).click();
  await page.waitForURL('**/help/settings');
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  const pages = page.getByRole('navigation', { name: 'Pages of the guide' });
  expect(await pages.locator('[aria-current=page]').textContent()).toBe('Settings');
  await pages.getByRole('link', { name: 'Operation' }).click();
  const onPage = page.getByRole('navigation', { name: 'On this page' });
  await onPage.getByRole('link', { name: 'A full disk' }).click();
  await page.waitForURL('**/help/operation#a-full-disk');
  const heading = page.getByRole('heading', { name: 'A full disk' });
  await expect.poll(async () => (await heading.boundingBox())?.y ?? 900).toBeLessThan(160);
  await page.goBack();
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  expect(elsewhere).toEqual([]);
  await expectAccessibleAtAllSizes(page);
});

test('the search finds words with a typing error, and its results are links', async () => {
  const page = await console.open('/help/tasks');
  await search(page).fill('shedules');
  const found = page.getByRole('list', { name: 'Found in the guide' }).getByRole('link');
  await expect.poll(() => found.first().textContent()).toContain('Schedules');
  expect(page.url()).toContain('q=shedules');
  await search(page).fill('zzzz qqqq');
  await page.getByText('No results in the guide.').waitFor();
  await search(page).fill('fail2ban');
  await expect.poll(() => found.first().textContent()).toContain('Operation');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/help\/operation#.*fail2ban/);
});

test('an unknown page says so, and leads back', async () => {
  const page = await console.open('/help/no-such-page');
  await page.getByText('Page not found').waitFor();
  await page.getByRole('link', { name: 'Go to my projects' }).waitFor();
});

test('a dialog opens its page in another tab, and keeps what was typed', async () => {
  const page = await demo.enter('keys?edit=new');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Half typed');
  const [guide] = await Promise.all([
    page.context().waitForEvent('page'),
    dialog.getByRole('link', { name: 'Help', exact: true }).click(),
  ]);
  await guide.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
  expect(await dialog.getByLabel('Name').inputValue()).toBe('Half typed');
  expect(await dialog.getAttribute('aria-labelledby')).not.toBeNull();
  expect(await page.getByRole('dialog', { name: 'New Key', exact: true }).count()).toBe(1);
});

test('menu and palette lead to the guide, and a block of it is copied', async () => {
  const page = await demo.enter('templates');
  await page.getByRole('button', { name: /Go to…/ }).click();
  await page.getByPlaceholder('Go to a screen, template or project').fill('guide');
  await page.getByRole('button', { name: 'Guide', exact: true }).click();
  await page.waitForURL('**/help');
  await page.goto(`${console.server.address}/help/operation`);
  const lastCopy = await watchCopies(page);
  await page.getByRole('button', { name: 'Copy' }).first().click();
  await expect.poll(lastCopy).toBe('cd /opt/signalbox\nnpm run build\nbin/signalbox server');
  await page.getByText('Copied to the clipboard').waitFor();
  await page.getByRole('link', { name: 'Open the console' }).click();
  await page.waitForURL('**/project/**');
});
