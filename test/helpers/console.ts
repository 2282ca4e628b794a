// Opens the console in a real browser.

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { findBarriers } from './accessible.ts';
import { findPaleControls } from './contrast.ts';
import { type ApiCall, signedIn } from './api-client.ts';
import type { SharedServer } from './console-keeper.ts';
import { closePage, emptyPage, type PageOptions, takePage } from './pages.ts';
import { startServer, type TestServer } from './server.ts';
import { endOwnBrowser, sharedServer, watchServer } from './shared.ts';
import { showIn } from './tour-page.ts';

export interface Console<Server extends SharedServer = SharedServer> {
  server: Server;
  /**
   * Opens a page of a new visitor. Errors of the page, and violations of its security policy, fail the test at its end. A page is closed
   * with the test that has opened it, or with the file if it was opened before the tests. With null
   * as path the page shows nothing yet.
   */
  open: (path?: string | null, look?: PageOptions) => Promise<Page>;
  /**
   * Opens a page of the administrator, which shows nothing yet. All such pages share one session; a
   * test that ends the session signs in a page of its own.
   */
  enter: (look?: PageOptions) => Promise<Page>;
  /** Calls the API as the administrator, without a page. */
  call: ApiCall;
  signIn: (page: Page, login?: string, password?: string) => Promise<void>;
}

type Env = Record<string, string>;

/**
 * The server that all files of a worker share, one after the other. What a file changes is in a
 * project of its own, and its users have unique names.
 */
export function useConsole(): Console {
  return consoleOf(sharedServer);
}

/** Starts a server for the tests of one file; `env` has settings for it. */
export function useOwnConsole(env: Env | (() => Promise<Env>) = {}): Console<TestServer> {
  let server: TestServer | undefined;
  afterAll(() => server?.stop());
  return consoleOf(async () => {
    server = await startServer({ env: typeof env === 'function' ? await env() : env });
    await watchServer(server.child.pid, server.dataDir);
    return server;
  });
}

/** The sessions by the data folders of servers: a later server may get the same address. */
const sessions = new Map<string, ReturnType<typeof signedIn>>();

/** One session for all files: a server accepts thirty sign-ins a minute, and each one is slow. */
function adminOf(server: SharedServer): ReturnType<typeof signedIn> {
  const session = sessions.get(server.dataDir) ?? signedIn(server);
  sessions.set(server.dataDir, session);
  return session;
}

/** The server is known before the first test. */
export function consoleOf<Server extends SharedServer>(
  find: () => Promise<Server>,
): Console<Server> {
  let server: Server | undefined;
  // A page that stays open would follow everything that later tests do.
  let [ofFile, ofTest]: [Page[], Page[] | null] = [[], null];
  beforeAll(async () => {
    complaints.length = 0;
    server = await find();
  });
  beforeEach(() => {
    ofTest = [];
  });
  afterEach(async ({ task }) => {
    const hasFailed = task.result?.state === 'fail';
    if (hasFailed) await Promise.all((ofTest ?? []).map(takePicture));
    const putAway = hasFailed ? closePage : emptyPage;
    await Promise.all((ofTest ?? []).map(putAway));
    ofTest = null;
    expect(complaints.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await Promise.all(ofFile.map(emptyPage));
    await endOwnBrowser();
  });
  const running = (): Server => {
    if (!server) throw new Error('The server runs only inside tests');
    return server;
  };
  const open: Console['open'] = async (path = '/', look = {}) => {
    const page = await takePage(look);
    (ofTest ?? ofFile).push(page);
    const { address } = running();
    addresses.set(page, address);
    if (isWebKit) await showNothing(page, address);
    listen(page);
    followRequests(page);
    if (path !== null) await page.goto(`${address}${path}`);
    return page;
  };
  return {
    get server() {
      return running();
    },
    open,
    async enter(look) {
      const page = await open(null, look);
      await page.context().addCookies((await adminOf(running())).cookies);
      return page;
    },
    call: async (...request) => (await adminOf(running())).call(...request),
    async signIn(page, login = 'admin', password = running().password) {
      await page.getByLabel('Username').fill(login);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByLabel('Password', { exact: true }).press('Enter');
    },
  };
}

const browserName = process.env['TEST_BROWSER'] ?? 'chromium';
const isWebKit = browserName === 'webkit';

/** The requests of a page that have no answer yet. */
const openRequests = new WeakMap<Page, Set<Request>>();

function followRequests(page: Page): void {
  const open = new Set<Request>();
  openRequests.set(page, open);
  page.on('request', (request) => open.add(request));
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
}

const MAX_PICTURE_MS = 120_000;

/** Shows people what a page looked like when its test failed, and what it was waiting for. */
async function takePicture(page: Page): Promise<void> {
  const path = join(tmpdir(), `signalbox-failed-${process.pid}-${Date.now()}.png`);
  const taken = await page.screenshot({ path, timeout: MAX_PICTURE_MS }).then(() => path, String);
  const waiting = [...(openRequests.get(page) ?? [])].map((request) => request.url());
  process.stderr.write(
    `${page.url()} looked like this: ${taken}\nIt waited for: ${waiting.join(' ')}\n`,
  );
}

/** Errors of the pages of a test, and violations of their security policy. */
const complaints: string[] = [];

function listen(page: Page): void {
  page.on('pageerror', ({ message }) => {
    if (!isCancelledRequest(message)) complaints.push(message);
  });
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) complaints.push(message.text());
  });
}

/** WebKit stores cookies only for the server of the page. */
async function showNothing(page: Page, address: string): Promise<void> {
  const nothing = `${address}/nothing`;
  await page.route(nothing, (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  await page.goto(nothing);
  await page.unroute(nothing);
}

/** WebKit calls requests that end with their document errors of the page. */
const isCancelledRequest = (message: string): boolean =>
  isWebKit && message.endsWith('due to access control checks.');

/** The server of each page. */
const addresses = new WeakMap<Page, string>();

/** Fails if the screen has barriers. */
export async function expectAccessible(page: Page): Promise<void> {
  // Axe judges the markup, which is the same in every browser.
  if (browserName === 'chromium') expect(await findBarriers(page)).toEqual([]);
  expect(await findPaleControls(page)).toEqual([]);
}

/** Checks the page in light and in dark; the page is light afterwards. */
export async function expectAccessibleInBoth(page: Page): Promise<void> {
  await showIn(page, 'dark');
  await expectAccessible(page);
  await showIn(page, 'light');
  await expectAccessible(page);
}

/**
 * The same in both themes on the screen of a phone as well, which nothing has to be scrolled
 * sideways on; the page is light and wide afterwards.
 */
export async function expectAccessibleAtAllSizes(page: Page): Promise<void> {
  await expectAccessibleInBoth(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 900 });
}

/** Signs a page in without the form, which has tests of its own. */
export async function letIn(page: Page, login: string, password: string): Promise<void> {
  await callApi(page, 'post', '/api/auth/login', { auth: login, password });
}

/** Shows another screen as a link of the console does, without loading the page again. */
export async function follow(page: Page, url: string): Promise<void> {
  await page.evaluate((to) => history.pushState({}, '', to), url);
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

/** The visible rows of the log, by their numbers. */
export async function shownLines(page: Page): Promise<{ number: number; text: string }[]> {
  const rows = await page.getByRole('log', { name: 'Task log' }).evaluate((log) => {
    const list = log.firstElementChild?.firstElementChild;
    return [...(list?.children ?? [])].map((row) =>
      [...row.children].map((cell) => cell.textContent),
    );
  });
  return rows.map(([number, text]) => ({ number: Number(number), text: String(text) }));
}
