// How much the console loads, and how soon it shows the page of templates and another page.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { launchChromium } from '../../test/helpers/chromium.ts';
import { addProject, addTemplates, install, launch, untilEnd } from './installation.ts';
import type { Measure, Opened } from './measure.ts';

const templates = 300;
const rounds = 5;
const slower = 4;
/** The page counts as loaded after this time without a request. */
const quietMs = 2000;
const viewport = { width: 1440, height: 900 };

export async function measureConsole(checkout: string): Promise<Opened> {
  const installation = await install(checkout);
  const { call, server, cookies } = installation;
  const browser = await launchChromium();
  const project = await addProject(installation, { 'end.sh': ':\n' });
  await addTemplates(call, project, 'end.sh', templates);
  // A project without tasks has no dashboard.
  await untilEnd(call, project, (await launch(call, project, 'end.sh')).id);
  const address = `${server.address}/project/${project.id}/templates`;
  return {
    measures: measuresOf(() => measureRound(browser, cookies, address)),
    async end() {
      await browser.close();
      await installation.end();
    },
  };
}

interface Round {
  cold: Load;
  warm: Load;
  /** The milliseconds until the largest content was painted, on a slowed processor. */
  largestMs: number;
  routeMs: number;
}

/** Loads the page twice, at first with an empty cache, and then goes to another page. */
async function measureRound(
  browser: Browser,
  cookies: Parameters<BrowserContext['addCookies']>[0],
  address: string,
): Promise<Round> {
  const context = await browser.newContext({ viewport });
  await context.addCookies(cookies);
  const { page: slow, load: cold } = await openPage(context, address, slower);
  const largestMs = await slow.evaluate(largestPaint);
  await slow.close();
  const { page, load: warm } = await openPage(context, address, 1);
  const routeMs = await page.evaluate(changeRoute, 'Dashboard');
  await context.close();
  return { cold, warm, largestMs, routeMs };
}

interface Load {
  requests: number;
  /** The bytes that came over the network, with headers and as they were compressed. */
  bytes: number;
  /** When a request last began or ended, by the clock of this process. */
  changed: number;
}

/** Opens a page in a new tab; resolves when it shows the list and sends no more requests. */
async function openPage(
  context: BrowserContext,
  address: string,
  slowdown: number,
): Promise<{ page: Page; load: Load }> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  const load = await countLoad(session);
  await page.goto(address);
  await page.getByRole('row').nth(1).waitFor();
  while (performance.now() < load.changed + quietMs) await sleep(quietMs / 10);
  // What the page loads later does not count.
  return { page, load: { ...load } };
}

/** Counts what a page loads from now on. Frames of the websocket are no requests. */
async function countLoad(session: CDPSession): Promise<Load> {
  const load: Load = { requests: 0, bytes: 0, changed: performance.now() };
  session.on('Network.requestWillBeSent', ({ request }) => {
    if (request.url.startsWith('http')) load.requests += 1;
    load.changed = performance.now();
  });
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    load.bytes += encodedDataLength;
    load.changed = performance.now();
  });
  await session.send('Network.enable');
  return load;
}

/** Runs in the page. */
function largestPaint(): Promise<number> {
  return new Promise((resolve) => {
    const observer = new PerformanceObserver((list) =>
      resolve(list.getEntries().at(-1)?.startTime ?? Number.NaN),
    );
    observer.observe({ type: 'largest-contentful-paint', buffered: true });
  });
}

/**
 * Runs in the page: clicks the link with this name; resolves with the milliseconds until a heading
 * with the same name is painted. The pointer did not hover, which would preload the page.
 */
function changeRoute(name: string): Promise<number> {
  const link = [...document.querySelectorAll('a')].find(({ textContent: text }) => text === name);
  if (!link) throw new Error(`There is no link "${name}".`);
  const begun = performance.now();
  link.click();
  return new Promise((resolve) => {
    const check = (): void => {
      if (document.querySelector('h1')?.textContent !== name) requestAnimationFrame(check);
      // This frame follows the one that has drawn the heading.
      else requestAnimationFrame(() => resolve(performance.now() - begun));
    };
    check();
  });
}

/** All measures share their rounds: the first measure loads the pages. */
function measuresOf(load: () => Promise<Round>): Measure[] {
  const all: Round[] = [];
  const what = `The page of ${templates} templates`;
  const of = (words: string, unit: Measure['unit'], value: (round: Round) => number): Measure => ({
    what: words,
    unit,
    rounds: 1,
    async take() {
      while (all.length < rounds) all.push(await load());
      return all.map(value);
    },
  });
  return [
    of(`${what}, first load`, 'kB', ({ cold }) => cold.bytes / 1000),
    of(`${what}, loaded again`, 'kB', ({ warm }) => warm.bytes / 1000),
    of(`${what}, first load`, 'requests', ({ cold }) => cold.requests),
    of(
      `${what}, first load to the largest contentful paint, processor slowed ${slower} times`,
      'ms',
      ({ largestMs }) => largestMs,
    ),
    of(
      'From the page of templates to the dashboard, click to its heading',
      'ms',
      ({ routeMs }) => routeMs,
    ),
  ];
}
