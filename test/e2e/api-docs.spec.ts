// Slow: the page is read by those who write programs, and takes seconds to draw.
// The page at /api/docs: reads the document and tries it, with nothing from elsewhere.

import { expect, test } from 'vitest';
import { useConsole } from '../helpers/console.ts';
import { until } from '../helpers/until.ts';

const console = useConsole();

test('every noun can be read, and a request tried with the session of the browser', async () => {
  const page = await console.enter();
  const origin = console.server.address;
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(origin)) {
      elsewhere.push(request.url());
    }
  });
  await page.goto(`${origin}/api/docs#/users/users.current`);
  await page.locator('.opblock-tag').first().waitFor();
  const nouns = await page.locator('.opblock-tag').allTextContents();
  expect(nouns).toEqual(expect.arrayContaining(['templates', 'tasks', 'events', 'tokens']));
  await page.getByRole('button', { name: 'Execute' }).click();
  const body = page.locator('.live-responses-table .microlight').first();
  await until(async () => (await body.textContent())?.includes('"username": "admin"'));
  expect(elsewhere).toEqual([]);
});
