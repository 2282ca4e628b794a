// With the forced colours of the system, what is chosen or on looks other than the rest.

import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { useConsole } from '../helpers/console.ts';
import { addProgram } from '../helpers/console-tasks.ts';
import { useDemo } from '../helpers/demo.ts';

const console = useConsole();
const demo = useDemo(console);

const background = (element: Locator): Promise<string> =>
  element.evaluate((one) => getComputedStyle(one).backgroundColor);

test('current links, tabs, boxes and switches are marked', async () => {
  const template = await addProgram(demo, 'Plain', 'echo done\n');
  const page = await console.enter();
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto(demo.url(`history?run=${template}`));
  const sections = page.getByRole('navigation', { name: 'Project' });
  const dialog = page.getByRole('dialog');
  const box = dialog.getByRole('checkbox', { name: /^Debug/ });
  await box.waitFor();
  const unticked = await background(box);
  await box.check();
  const highlight = await page.evaluate(() => {
    const probe = document.createElement('div');
    probe.style.cssText = 'background: Highlight; forced-color-adjust: none';
    document.body.append(probe);
    return getComputedStyle(probe).backgroundColor;
  });
  expect(unticked).not.toBe(highlight);
  expect(await background(box)).toBe(highlight);
  const links = [
    sections.locator('[aria-current]'),
    page.locator('main [aria-current=page]').first(),
  ];
  expect(await Promise.all(links.map(background))).toEqual([highlight, highlight]);
  const other = sections.locator('a:not([aria-current])').first();
  expect(await background(other)).not.toBe(highlight);
  await page.goto(demo.url('settings'));
});
