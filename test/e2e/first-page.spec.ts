// Slow: a page is loaded twice, alone in its browser.
// What a browser fetches to draw the first screen of a project, for the first time and once more.

import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { ReplyOf } from '#shared/api/endpoint.ts';
import type { system } from '#shared/api/system.ts';
import { useOwnConsole } from '../helpers/console.ts';
import { useDemo } from '../helpers/demo.ts';
import { until } from '../helpers/until.ts';

// With the projects of other tests, the list of projects would have another length each time.
const console = useOwnConsole();
const demo = useDemo(console);

/**
 * Loads a page and waits until nothing more is asked for. Returns the bytes on the wire of each
 * address, headers included. An address is counted once: what was asked for before the live
 * connection is ready is asked for again, which happens on a busy machine only.
 */
async function fetched(page: Page, load: () => Promise<unknown>): Promise<Map<string, number>> {
  const session = await page.context().newCDPSession(page);
  const [paths, cached] = [new Map<string, string>(), new Set<string>()];
  const seen = new Map<string, number>();
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    paths.set(requestId, new URL(request.url).pathname);
  });
  session.on('Network.requestServedFromCache', ({ requestId }) => cached.add(requestId));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (cached.has(requestId) || encodedDataLength === 0) return;
    seen.set(paths.get(requestId) ?? '', encodedDataLength);
  });
  await session.send('Network.enable');
  await load();
  await page.waitForLoadState('networkidle');
  await session.detach();
  return seen;
}

const sum = (bytes: Map<string, number>): number =>
  [...bytes.values()].reduce((total, one) => total + one, 0);

test('the first screen takes few requests and little data', async () => {
  // The server tells the version of Ansible as soon as it knows it.
  await until(
    async () =>
      (await console.call<ReplyOf<typeof system.info>>('GET', '/api/info')).ansible !== '',
  );
  const page = await console.enter();
  const show = async (): Promise<void> => {
    await page.goto(demo.url('templates'));
    await page.getByRole('link', { name: '1. Say hello' }).waitFor();
  };
  const cold = await fetched(page, show);
  expect([...cold].slice(25)).toEqual([]);
  expect(sum(cold)).toBeLessThanOrEqual(350_000);
  // English needs one part of the typeface, and no log is shown.
  expect([...cold.keys()].filter((path) => path.endsWith('.woff2'))).toHaveLength(1);
  let lists = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/projects')) lists += 1;
  });
  const warm = await fetched(page, show);
  // The live connection begins a moment after the list of projects was read.
  expect(lists).toBe(1);
  // The page and the answers of the API are kept by no browser, and every file of the console is.
  expect([...warm.keys()].filter((path) => path.startsWith('/assets/'))).toEqual([]);
  expect([...warm].slice(10)).toEqual([]);
  // Of this, the strips of runs take one call of less than 1 kB.
  expect(sum(warm)).toBeLessThanOrEqual(9500);
});

test('the list of projects is read once, even if its answer comes after the subscription', async () => {
  const page = await console.enter();
  let lists = 0;
  await page.route('**/api/projects', async (route) => {
    lists += 1;
    await delay(1000);
    await route.continue();
  });
  await page.goto(demo.url('templates'));
  await page.getByRole('link', { name: '1. Say hello' }).waitFor();
  await page.waitForLoadState('networkidle');
  expect(lists).toBe(1);
});
