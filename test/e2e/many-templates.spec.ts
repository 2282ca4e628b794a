// Slow: hundreds of rows are made, drawn and looked at one by one.
// The list of templates where there are more of them than anybody wants.

import { expect, test } from 'vitest';
import type { Template } from '#shared/api/templates.ts';
import { expectAccessible, expectNoComplaints, useConsole } from '../helpers/console.ts';
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
  const page = await console.enter();
  await page.goto(demo.url('templates'));
  await page.getByRole('link', { name: `${long} 299` }).waitFor();
  await expect.poll(() => page.getByRole('row').count()).toBe(307);
  await page.getByRole('searchbox', { name: 'Search' }).fill('read 290');
  await until(async () => (await page.getByRole('row').count()) === 2);
  await page.getByRole('button', { name: `Last tasks of ${long} 290` }).click();
  await page.getByText('No tasks yet').waitFor();
  await page.setViewportSize({ width: 360, height: 800 });
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBe(0);
  await expectAccessible(page);
  expectNoComplaints();
});
