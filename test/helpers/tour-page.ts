// Shows a stop of the tour in a browser.

import type { Page } from 'playwright-core';
import type { Example } from './example/example.ts';
import { settle, watchRequests } from './settle.ts';
import type { Say } from './speak.ts';
import type { Stop } from './tour-stops.ts';

/** Shows a page in light or dark, and waits until it is drawn. */
export async function showIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.waitForFunction(
    (scheme) => document.documentElement.dataset['mantineColorScheme'] === scheme,
    colorScheme,
  );
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}

/** Goes to a stop and opens what it shows. */
export async function goTo(
  page: Page,
  address: string,
  { stop, example, say }: { stop: Stop; example: Example; say: Say },
): Promise<void> {
  await watchRequests(page);
  await page.goto(`${address}${stop.path(example)}`);
  await settle(page);
  if (!stop.act) return;
  await stop.act(page, say);
  await (stop.opens?.(page) ?? page.getByRole('dialog').last()).waitFor();
  await settle(page);
}
