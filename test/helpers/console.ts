// The console in a real browser.

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { findBarriers } from './accessible.ts';
import { findPaleControls } from './contrast.ts';
import { type ApiCall, signedIn } from './api-client.ts';
import type { SharedServer } from './console-keeper.ts';
import { closePage, emptyPage, type Look, takePage } from './pages.ts';
import { startServer, type TestServer } from './server.ts';
import { sharedServer, watchServer } from './shared.ts';
import { showIn } from './tour.ts';

export interface Console<Server extends SharedServer = SharedServer> {
  server: Server;
  /**
   * A page of a new visitor. What the page complains of fails the test at its end. It is closed
   * with the test that has opened it; one for all tests of a file is opened before them. With null
   * as path, it shows nothing yet.
   */
  open: (path?: string | null, look?: Look) => Promise<Page>;
  /**
   * A page of the administrator, which shows nothing yet. The session is one for all such pages;
   * who ends it has let in a page of its own.
   */
  enter: (look?: Look) => Promise<Page>;
  /** What the administrator asks for without a page. */
  call: ApiCall;
  signIn: (page: Page, login?: string, password?: string) => Promise<void>;
}

type Env = Record<string, string>;

/**
 * A server that all files of a worker have in common, one after the other: what a file changes is
 * in a project of its own, and its users have names of their own.
 */
export function useConsole(): Console {
  return consoleOf(sharedServer);
}

/** A server of its own for the tests of a file; `env` has settings of it. */
export function useOwnConsole(env: Env | (() => Promise<Env>) = {}): Console<TestServer> {
  let server: TestServer | undefined;
  afterAll(() => server?.stop());
  return consoleOf(async () => {
    server = await startServer({ env: typeof env === 'function' ? await env() : env });
    await watchServer(server.child.pid, server.dataDir);
    return server;
  });
}

/** By the data folders of servers: an address may be had by another one later. */
const sessions = new Map<string, ReturnType<typeof signedIn>>();

/** One for all files: a server lets in thirty times a minute, and every time is hard work for it. */
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
  // A page that nobody looks at any more would follow all that the next tests do.
  let [ofFile, ofTest]: [Page[], Page[] | null] = [[], null];
  beforeAll(async () => {
    complaints.length = 0;
    server = await find();
  });
  beforeEach(() => {
    ofTest = [];
  });
  afterEach(async ({ task }) => {
    const putAway = task.result?.state === 'fail' ? closePage : emptyPage;
    await Promise.all((ofTest ?? []).map(putAway));
    ofTest = null;
  });
  afterAll(() => Promise.all(ofFile.map(emptyPage)));
  const running = (): Server => {
    if (!server) throw new Error('The server runs only inside tests');
    return server;
  };
  const open: Console['open'] = async (path = '/', look = {}) => {
    const page = await takePage(look);
    (ofTest ?? ofFile).push(page);
    listen(page);
    const { address } = running();
    addresses.set(page, address);
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

const complaints: string[] = [];

function listen(page: Page): void {
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) complaints.push(message.text());
  });
}

/** Of the server that a page is of. */
const addresses = new WeakMap<Page, string>();

/** Errors of the page and breaches of its security policy since the last call. */
export function expectNoComplaints(): void {
  expect(complaints.splice(0)).toEqual([]);
}

/** Fails on what keeps people from using a screen. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await findBarriers(page)).toEqual([]);
  expect(await findPaleControls(page)).toEqual([]);
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

/** Shows another screen as a link of the console does: the page is not loaded anew. */
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
