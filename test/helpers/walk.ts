// A walk through screens of the console, each for everybody's eyes and hands: in both themes and at
// three widths.

import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { expectAccessible, expectNoComplaints, useConsole } from './console.ts';
import { makeExample, type Example } from './example/example.ts';
import { goTo, showIn, speak, type Stop } from './tour.ts';

/** Tests each stop, in a server that has been filled as a team would. */
export function walk(stops: readonly Stop[]): void {
  const console = useConsole();
  const say = speak();
  let example: Example | undefined;
  let visitor: Page | undefined;
  let admin: Page | undefined;
  beforeAll(async () => {
    example = await makeExample(console.server);
    [visitor, admin] = [await console.open(), await console.open()];
    await console.signIn(admin);
    await admin.waitForURL('**/project/**');
  });
  test.each(stops)('$name is usable by everybody', async (stop) => {
    const page = stop.for === 'visitor' ? visitor : admin;
    if (!page || !example) throw new Error('nothing is there to walk through');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1440, height: 900 });
    await goTo(page, console.server.address, { stop, example, say });
    await expectAccessible(page);
    await expectToFit(page, 960);
    await expectToFit(page, 360);
    await showIn(page, 'dark');
    await expectAccessible(page);
    expectNoComplaints();
  });
}

/** Nothing is wider than the window, as soon as all has found its new place. */
async function expectToFit(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 800 });
  const overflow = () =>
    page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
  await expect.poll(overflow).toBe(0);
}
