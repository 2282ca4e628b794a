// Waits until a screen is complete: no request is open, nothing says that it is busy, and the page
// has no pending work that could send requests.

import type { Page, Request } from 'playwright-core';
import { until } from './until.ts';

const asked = new WeakMap<Page, Set<Request>>();

/** Watches the requests of a page from now on; answers those that are still open. */
export function watchRequests(page: Page): Set<Request> {
  const known = asked.get(page);
  if (known) return known;
  const waiting = new Set<Request>();
  asked.set(page, waiting);
  page.on('request', (request) => {
    // Requests of the previous document do not count.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) waiting.clear();
    waiting.add(request);
  });
  page.on('requestfinished', (request) => waiting.delete(request));
  page.on('requestfailed', (request) => waiting.delete(request));
  return waiting;
}

/** Idle twice, with a frame between, so that effects and their requests have begun. */
const rest = (page: Page): Promise<boolean> =>
  page.evaluate(async () => {
    // Without anything to draw, a page may be reported as idle only after minutes.
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

/** Stops watching. */
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
