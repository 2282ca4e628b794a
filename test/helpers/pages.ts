// Pages of the one Chromium of the run. What a test has done with is emptied and used again: in a
// new page the whole console would be loaded anew, which takes three times as long.

import type { Page } from 'playwright-core';
import { sharedBrowser } from './shared.ts';
import { forgetRequests } from './settle.ts';

export interface Look {
  viewport?: { width: number; height: number };
  colorScheme?: 'light' | 'dark';
  permissions?: string[];
  /** Nobody has used it before, and nobody will after. */
  isNew?: boolean;
}

const desk = { width: 1280, height: 900 };

/** As long as a machine may be busy with other tests; only what hangs is ended. */
const patience = 120_000;

const emptied: Page[] = [];
const onlyOnce = new WeakSet<Page>();

export async function takePage(look: Look = {}): Promise<Page> {
  const used = look.isNew ? undefined : emptied.pop();
  if (!used || used.isClosed()) return openPage(look);
  await used.setViewportSize(look.viewport ?? desk);
  await used.emulateMedia({ colorScheme: look.colorScheme ?? 'light' });
  if (look.permissions) await used.context().grantPermissions(look.permissions);
  return used;
}

async function openPage({ isNew = false, ...look }: Look): Promise<Page> {
  const context = await (
    await sharedBrowser()
  ).newContext({
    viewport: desk,
    locale: 'en-GB',
    // Nobody waits for what moves, and a colour on its way to another has no contrast.
    reducedMotion: 'reduce',
    ...look,
  });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  if (isNew) onlyOnce.add(page);
  return page;
}

/** Takes a page back from a test that has passed, without anything that it knows. */
export async function emptyPage(page: Page): Promise<void> {
  const context = page.context();
  if (onlyOnce.has(page) || page.isClosed()) return context.close();
  for (const event of ['pageerror', 'console'] as const) page.removeAllListeners(event);
  forgetRequests(page);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  const others = context.pages().filter((other) => other !== page);
  await Promise.all(others.map((other) => other.close()));
  if (page.url().startsWith('http')) {
    // An address of the same server which is none: the next page goes on in the process of this one.
    const isThere = await page.goto(new URL('/api/', page.url()).href).catch(() => null);
    if (!isThere) return context.close();
    await page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
  }
  await context.clearCookies();
  await context.clearPermissions();
  emptied.push(page);
}

/** What a test has left that failed may be in any state. */
export const closePage = (page: Page): Promise<void> => page.context().close();
