// The console in a real browser, against a server of its own.

import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { findBarriers } from './accessible.ts';
import { launchChromium } from './chromium.ts';
import { startServer, type TestServer } from './server.ts';
import { watchRequests } from './settle.ts';
import { showIn } from './tour.ts';

export interface Console {
  server: TestServer;
  /**
   * A page of a new visitor. What the page complains of fails the test at its end. It is closed
   * with the test that has opened it; one for all tests of a file is opened before them. With null
   * as path, it shows nothing yet.
   */
  open: (path?: string | null, options?: BrowserContextOptions) => Promise<Page>;
  signIn: (page: Page, login?: string, password?: string) => Promise<void>;
}

type Env = Record<string, string>;

/** Starts server and browser for the tests of a file; `env` has settings of the server. */
export function useConsole(env: Env | (() => Promise<Env>) = {}): Console {
  let server: TestServer | undefined;
  let browser: Browser | undefined;
  beforeAll(async () => {
    const settings = typeof env === 'function' ? await env() : env;
    [server, browser] = await Promise.all([startServer({ env: settings }), launchChromium()]);
  });
  // A page that nobody looks at any more would follow all that the next tests do.
  let ofTest: BrowserContext[] | null = null;
  beforeEach(() => {
    ofTest = [];
  });
  afterEach(async () => {
    await Promise.all((ofTest ?? []).map((context) => context.close()));
    ofTest = null;
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });
  const running = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('The server and the browser run only inside tests');
    return value;
  };
  return {
    get server() {
      return running(server);
    },
    async open(path = '/', options = {}) {
      const context = await running(browser).newContext({
        viewport: { width: 1280, height: 900 },
        locale: 'en-GB',
        // Nobody waits for what moves, and a colour on its way to another has no contrast.
        reducedMotion: 'reduce',
        ...options,
      });
      ofTest?.push(context);
      const page = await context.newPage();
      watchRequests(page);
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (message) => {
        if (message.text().includes('Content Security Policy')) complaints.push(message.text());
      });
      const { address } = running(server);
      addresses.set(page, address);
      if (path !== null) await page.goto(`${address}${path}`);
      return page;
    },
    async signIn(page, login = 'admin', password = running(server).password) {
      await page.getByLabel('Username').fill(login);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByLabel('Password', { exact: true }).press('Enter');
    },
  };
}

const complaints: string[] = [];

/** Of the server that a page is of. */
const addresses = new WeakMap<Page, string>();

/** Errors of the page and breaches of its security policy since the last call. */
export function expectNoComplaints(): void {
  expect(complaints.splice(0)).toEqual([]);
}

/** Fails on what keeps people from using a screen. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await findBarriers(page)).toEqual([]);
}

/** The same in light and in dark; the page is light afterwards. */
export async function expectAccessibleInBoth(page: Page): Promise<void> {
  await showIn(page, 'dark');
  await expectAccessible(page);
  await showIn(page, 'light');
  await expectAccessible(page);
}

/** Signs a page in without the form, which has tests of its own. */
export async function letIn(page: Page, login: string, password: string): Promise<void> {
  await callApi(page, 'post', '/api/auth/login', { auth: login, password });
}

/** A page of the administrator, which shows nothing yet, and the demo project. */
export async function openDemo(console: Console, options?: BrowserContextOptions): Promise<Page> {
  const page = await console.open(null, options);
  await ensureDemo(console, page);
  return page;
}

/** Signs in and makes the demo project, if that has not been done yet. */
export async function ensureDemo({ server }: Console, page: Page): Promise<void> {
  await letIn(page, 'admin', server.password);
  const projects = await callApi<unknown[]>(page, 'get', '/api/projects');
  if (projects.length > 0) return;
  await callApi(page, 'post', '/api/projects', { name: 'Demo', demo: true });
}

/** Calls the API with the session of a page. */
export async function callApi<T>(
  page: Page,
  method: 'get' | 'post' | 'put',
  path: string,
  data?: object,
): Promise<T> {
  const url = `${addresses.get(page) ?? ''}${path}`;
  const answer = await page.request[method](url, data ? { data } : {});
  if (!answer.ok()) throw new Error(await answer.text());
  return answer.status() === 204 ? (undefined as T) : ((await answer.json()) as T);
}

/** The rows of the log that are on the screen, by their numbers. */
export async function shownLines(page: Page): Promise<{ number: number; text: string }[]> {
  const rows = await page.getByRole('log', { name: 'Task log' }).evaluate((log) => {
    const list = log.firstElementChild?.firstElementChild;
    return [...(list?.children ?? [])].map((row) =>
      [...row.children].map((cell) => cell.textContent),
    );
  });
  return rows.map(([number, text]) => ({ number: Number(number), text: String(text) }));
}
