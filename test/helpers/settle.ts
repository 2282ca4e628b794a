// Waits until a screen is complete: no request is open, nothing says that it is busy, and the page
// has no pending work that could send requests or show what has arrived.

import type { Page, Request } from 'playwright-core';
import { until } from './until.ts';

const asked = new WeakMap<Page, Set<Request>>();
const counted = new WeakSet<Page>();

type Counting = typeof globalThis & { shortTimers?: Set<number> };

// React shows a part that was loaded up to 300 ms after the part before it, and sends no request
// meanwhile.
const longestTimerMs = 400;

/** Lets each further document of a page know its timers that end soon. */
async function countTimers(page: Page): Promise<void> {
  if (counted.has(page)) return;
  counted.add(page);
  await page.addInitScript(keepTimers, longestTimerMs);
}

function keepTimers(longest: number): void {
  const waiting = new Set<number>();
  (globalThis as Counting).shortTimers = waiting;
  const start = window.setTimeout.bind(window);
  const end = window.clearTimeout.bind(window);
  const counting = (run: TimerHandler, delay = 0, ...params: unknown[]): number => {
    if (typeof run !== 'function' || delay > longest) return start(run, delay, ...params);
    const id = start(() => {
      waiting.delete(id);
      run(...params);
    }, delay);
    waiting.add(id);
    return id;
  };
  Object.assign(window, {
    setTimeout: counting,
    clearTimeout: (id?: number) => {
      if (id !== undefined) waiting.delete(id);
      end(id);
    },
  });
}

/** Watches the requests of a page from now on; answers those that are still open. */
export async function watchRequests(page: Page): Promise<Set<Request>> {
  const known = asked.get(page);
  if (known) return known;
  const waiting = new Set<Request>();
  asked.set(page, waiting);
  await countTimers(page);
  page.on('request', (request) => {
    // Requests of the previous document do not count.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) waiting.clear();
    waiting.add(request);
  });
  page.on('requestfinished', (request) => waiting.delete(request));
  page.on('requestfailed', (request) => waiting.delete(request));
  return waiting;
}

/** Idle twice, without a timer that ends soon, with a frame between, so that effects and their requests have begun. */
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
    const timers = (globalThis as Counting).shortTimers?.size ?? 0;
    return timers === 0 && document.querySelector('[aria-busy="true"]') === null;
  });

/** Stops watching. */
export function forgetRequests(page: Page): void {
  asked.delete(page);
  for (const event of ['request', 'requestfinished', 'requestfailed'] as const) {
    page.removeAllListeners(event);
  }
}

export async function settle(page: Page): Promise<void> {
  const waiting = await watchRequests(page);
  await page.getByRole('heading').or(page.getByRole('dialog')).first().waitFor();
  await until(async () => waiting.size === 0 && (await rest(page)) && waiting.size === 0);
}
