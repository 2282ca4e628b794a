// Walks through screens of the console, in both themes and at three widths, and checks that
// everybody can use them.

import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { type Console, consoleOf, expectAccessible } from './console.ts';
import { findCutLabels } from './cut-labels.ts';
import { findCutPlaceholders } from './cut-placeholders.ts';
import type { Example } from './example/example.ts';
import { sharedExample } from './shared.ts';
import { goTo, showIn } from './tour-page.ts';
import { speak } from './speak.ts';
import type { Stop } from './tour-stops.ts';

/** A server that was filled as by a team; a test that uses it changes nothing. */
export function useExample(): { console: Console; example: () => Example } {
  let example: Example | undefined;
  const console = consoleOf(async () => {
    const shared = await sharedExample();
    example = shared.example;
    return shared.server;
  });
  return {
    console,
    example() {
      if (!example) throw new Error('The example is there only inside tests');
      return example;
    },
  };
}

/** Tests each stop. */
export function walk(stops: readonly Stop[]): void {
  const { console, example } = useExample();
  const say = speak();
  let visitor: Page | undefined;
  let admin: Page | undefined;
  beforeAll(async () => {
    [visitor, admin] = [await console.open(null), await console.enter()];
  });
  test.each(stops)('$name is usable by everybody', async (stop) => {
    const page = stop.for === 'visitor' ? visitor : admin;
    if (!page) throw new Error('nobody is there to walk through');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1440, height: 900 });
    await goTo(page, console.server.address, { stop, example: example(), say });
    await expectAccessible(page);
    expect(await findCutLabels(page)).toEqual([]);
    await expectToFit(page, 960);
    await expectToFit(page, 360);
    expect(await findCutLabels(page)).toEqual([]);
    expect(await findCutPlaceholders(page)).toEqual([]);
    await showIn(page, 'dark');
    await expectAccessible(page);
  });
}

/** Waits until nothing is wider than the window, and the buttons of all rows are in sight. */
export async function expectToFit(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 800 });
  const overflow = () =>
    page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
  await expect.poll(overflow).toBe(0);
  await expect.poll(() => buttonsOutOfSight(page)).toEqual([]);
}

/** The names of the buttons of rows that are reached only by scrolling sideways. */
const buttonsOutOfSight = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('td[data-buttons] :is(button, a)')]
      .filter((one) => one.getBoundingClientRect().right > document.documentElement.clientWidth)
      .map(({ ariaLabel, textContent }) => ariaLabel ?? textContent),
  );
