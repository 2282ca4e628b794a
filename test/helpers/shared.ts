// What the browser tests of a run share; each worker asks the keeper once.

import { type Browser, chromium } from 'playwright-core';
import { inject } from 'vitest';
import { launchFirefox } from './browsers/firefox.ts';
import type { SharedExample, SharedServer } from './console-keeper.ts';

async function ask<T>(path: string): Promise<T> {
  const answer = await fetch(new URL(path, inject('consoleKeeper')));
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return JSON.parse(text) as T;
}

const connectChromium = async (): Promise<Browser> =>
  chromium.connect((await ask<{ endpoint: string }>('browser')).endpoint, { timeout: 120_000 });

/** Each worker has a Firefox of its own: what Playwright lacks for it is added in this process. */
const connect = process.env['TEST_BROWSER'] === 'firefox' ? launchFirefox : connectChromium;

let browser: Promise<Browser> | undefined;

/**
 * A new browser if the last one has crashed, so that the crash fails only the tests that were using
 * it.
 */
export async function sharedBrowser(): Promise<Browser> {
  browser ??= connect();
  if (!(await browser).isConnected()) browser = connect();
  return browser;
}

/** Ends the Firefox of this worker, which no other process would end. */
export async function endOwnBrowser(): Promise<void> {
  if (!browser || process.env['TEST_BROWSER'] !== 'firefox') return;
  const own = await browser;
  browser = undefined;
  await own.close();
}

let server: Promise<SharedServer> | undefined;

/** The server of all files of this worker, which run one after the other. */
export function sharedServer(): Promise<SharedServer> {
  server ??= ask(`server?worker=${process.env['VITEST_POOL_ID']}`);
  return server;
}

let example: Promise<SharedExample> | undefined;

/** The server of all files that change nothing, in every worker. */
export function sharedExample(): Promise<SharedExample> {
  example ??= ask('example');
  return example;
}

/** Makes sure that the server of one file is ended when the run is killed. */
export async function watchServer(pid: number | undefined, folder: string): Promise<void> {
  await ask(`watch?pid=${pid}&folder=${encodeURIComponent(folder)}`);
}
