// Runs once, beside the workers of browser tests, and keeps what their files share: one Chromium, a
// server for each worker, and one server with example data for tests that change nothing. Each is
// started when the first test file asks for it. Workers ask over HTTP.

import { createServer } from 'node:http';
import type { BrowserServer } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { serveChromium } from './chromium.ts';
import { type Example, makeExample } from './example/example.ts';
import { startServer, type TestServer } from './server.ts';
import { startWatchdog, type Watchdog } from './watchdog.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers where the browser and the shared servers of this run are. */
    consoleKeeper: string;
  }
}

/** The address of a shared server; only the keeper stops it. */
export type SharedServer = Pick<TestServer, 'address' | 'password' | 'dataDir'>;

/** What the keeper says about the server with example data. */
export interface SharedExample {
  server: SharedServer;
  example: Example;
}

let chromium: Promise<BrowserServer> | undefined;
let filled: Promise<SharedExample> | undefined;
let watchdog: Watchdog | undefined;
const servers = new Map<string, Promise<TestServer>>();

// Alerts may be sent to a receiver of the tests; all other settings have their defaults.
const settings = { SIGNALBOX_ALERT_ADDRESSES: '127.0.0.1' };

async function browserEndpoint(): Promise<{ endpoint: string }> {
  chromium ??= serveChromium();
  const server = await chromium;
  // A Chromium that has crashed is replaced.
  server.once('close', () => (chromium = undefined));
  return { endpoint: server.wsEndpoint() };
}

async function sharedServer(name: string): Promise<SharedServer> {
  const started = servers.get(name) ?? startServer({ env: settings });
  servers.set(name, started);
  const { address, password, dataDir, child } = await started;
  watch(Number(child.pid), dataDir);
  return { address, password, dataDir };
}

async function sharedExample(): Promise<SharedExample> {
  const server = await sharedServer('example');
  return { server, example: await makeExample(server) };
}

function watch(pid: number, folder: string): void {
  watchdog ??= startWatchdog();
  watchdog.watch({ pid, folder });
}

/** The answers by the path of a request. */
const answers: Record<string, (query: URLSearchParams) => Promise<unknown>> = {
  '/browser': browserEndpoint,
  '/server': (query) => sharedServer(`of worker ${query.get('worker')}`),
  '/example': () => (filled ??= sharedExample()),
  '/watch': async (query) => watch(Number(query.get('pid')), String(query.get('folder'))),
};

const http = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://keeper');
  const answer = answers[pathname]?.(searchParams) ?? Promise.reject(new Error(pathname));
  answer.then(
    (value) => response.end(JSON.stringify(value ?? null)),
    (error: unknown) => {
      response.statusCode = 500;
      response.end(error instanceof Error ? error.message : String(error));
    },
  );
});

export async function setup(project: TestProject): Promise<void> {
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const address = http.address();
  if (typeof address !== 'object' || !address) throw new Error('no port for the tests');
  project.provide('consoleKeeper', `http://127.0.0.1:${address.port}/`);
}

export async function teardown(): Promise<void> {
  http.closeAllConnections();
  http.close();
  const started = [...servers.values()].map((server) => server.catch(() => undefined));
  await Promise.all([
    chromium?.then((server) => server.close()).catch(() => undefined),
    ...started.map(async (server) => (await server)?.stop()),
  ]);
  await watchdog?.dismiss();
}
