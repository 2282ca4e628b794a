// Waits until a screen has all that it shows: nothing is being asked for, nothing says that it is
// busy, and the page has no work left that was to ask for more.

import type { Page, Request } from 'playwright-core';
import { until } from './until.ts';

const asked = new WeakMap<Page, Set<Request>>();

/** Follows what a page asks for from now on; answers what it still waits for. */
export function watchRequests(page: Page): Set<Request> {
  const known = asked.get(page);
  if (known) return known;
  const waiting = new Set<Request>();
  asked.set(page, waiting);
  page.on('request', (request) => {
    // What the document before has asked for is of no interest.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) waiting.clear();
    waiting.add(request);
  });
  page.on('requestfinished', (request) => waiting.delete(request));
  page.on('requestfailed', (request) => waiting.delete(request));
  return waiting;
}

/** Twice without anything to do, with a frame between: effects and their requests have begun. */
const rest = (page: Page): Promise<boolean> =>
  page.evaluate(async () => {
    // Where nothing is drawn, it can take minutes until a page is said to be idle.
    const idle = () =>
      new Promise<void>((resolve) => {
        let isIdle = false;
        const draw = () => !isIdle && requestAnimationFrame(draw);
        draw();
        requestIdleCallback(() => {
          isIdle = true;
          resolve();
        });
      });
    await document.fonts.ready;
    await idle();
    await new Promise(requestAnimationFrame);
    await idle();
    return document.querySelector('[aria-busy="true"]') === null;
  });

/** Follows no longer. */
export function forgetRequests(page: Page): void {
  asked.delete(page);
  for (const event of ['request', 'requestfinished', 'requestfailed'] as const) {
    page.removeAllListeners(event);
  }
}

export async function settle(page: Page): Promise<void> {
  const waiting = watchRequests(page);
  await page.getByRole('heading').or(page.getByRole('dialog')).first().waitFor();
  await until(async () => waiting.size === 0 && (await rest(page)) && waiting.size === 0);
}
