// Hands out pages of the browser of the run: the one Chromium, unless TEST_BROWSER names another. A
// page of Chromium that a test no longer needs is emptied and used again, because a new page would
// load the whole console again, which takes three times as long.

import type { BrowserContextOptions, Page } from 'playwright-core';
import { emulateMediaIn } from './browsers/firefox.ts';
import { insertTextByCommand } from './browsers/insert-text.ts';
import { openWebKitPage } from './browsers/webkit.ts';
import { sharedBrowser } from './shared.ts';
import { forgetRequests } from './settle.ts';

export interface PageOptions {
  viewport?: { width: number; height: number };
  colorScheme?: 'light' | 'dark';
  permissions?: string[];
  /** Whether the page was never used and will not be used again. */
  isNew?: boolean;
}

const desk = { width: 1280, height: 900 };

/** This limit only ends pages that hang, because the machine may be busy with other tests. */
const longestWaitMs = 120_000;

/** The project of vitest has set it. */
const browserName = (process.env['TEST_BROWSER'] ?? 'chromium') as keyof typeof openers;

const emptied: Page[] = [];
/** Ends the browsers that have only one page. */
const closers = new WeakMap<Page, () => Promise<void>>();
const onlyOnce = new WeakSet<Page>();

export async function takePage(look: PageOptions = {}): Promise<Page> {
  const used = look.isNew ? undefined : emptied.pop();
  if (!used || used.isClosed()) return openPage(look);
  await used.setViewportSize(look.viewport ?? desk);
  // What an earlier test has emulated stays otherwise: on paper a page has no navigation.
  const media = { media: null, forcedColors: null, contrast: null };
  await used.emulateMedia({ ...media, colorScheme: look.colorScheme ?? 'light' });
  if (look.permissions) await used.context().grantPermissions(look.permissions);
  return used;
}

async function openPage({ isNew = false, ...look }: PageOptions): Promise<Page> {
  const page = await openers[browserName]({ viewport: desk, ...look });
  page.context().setDefaultTimeout(longestWaitMs);
  await page.addInitScript(tellViolations);
  if (isNew || browserName !== 'chromium') onlyOnce.add(page);
  return page;
}

const newPage = async (options: BrowserContextOptions): Promise<Page> =>
  (await (await sharedBrowser()).newContext({ locale: 'en-GB', ...options })).newPage();

type Look = Omit<PageOptions, 'isNew'> & Required<Pick<PageOptions, 'viewport'>>;

const openers = {
  // Tests need not wait for animations, and a colour that is changing has no fixed contrast.
  chromium: (look: Look) => newPage({ reducedMotion: 'reduce', ...look }),
  async firefox({ viewport, colorScheme = 'light' }: Look) {
    const page = await newPage({ viewport });
    emulateMediaIn(page);
    insertTextByCommand(page);
    await page.emulateMedia({ colorScheme });
    return page;
  },
  async webkit({ viewport, colorScheme = 'light' }: Look) {
    const { page, close } = await openWebKitPage({ viewport });
    closers.set(page, close);
    insertTextByCommand(page);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    return page;
  },
};

/** Runs in the page. Chromium prints no message for a script that it has not evaluated. */
function tellViolations(): void {
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
    // oxlint-disable-next-line no-console -- the test listens to the console of the page
    console.error(`Content Security Policy: ${violatedDirective} has refused ${blockedURI}`);
  });
}

/** Takes a page back from a test that has passed, and removes all that the page has stored. */
export async function emptyPage(page: Page): Promise<void> {
  const context = page.context();
  if (onlyOnce.has(page) || page.isClosed()) return closePage(page);
  for (const event of ['pageerror', 'console'] as const) page.removeAllListeners(event);
  forgetRequests(page);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  const others = context.pages().filter((other) => other !== page);
  await Promise.all(others.map((other) => other.close()));
  if (page.url().startsWith('http')) {
    // This address of the same server shows nothing, and keeps the process of the page for the next
    // one.
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

/** The page of a failed test may be in any state, so it is closed. */
export const closePage = (page: Page): Promise<void> =>
  closers.get(page)?.() ?? page.context().close();
