// `npm run bench:results:console [-- HOSTS [TASKS]]`: measures the hosts of a task in a browser: how fast
// the view of 1,000 hosts with 100 tasks opens, and how much memory the process of the tab then uses. It
// uses the built console and a real server; both share the machine with the browser.

import { cpus, loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, BrowserContext } from 'playwright-core';
import type { Task } from '#shared/api/tasks.ts';
import type { Template } from '#shared/api/templates.ts';
import { isFinished } from '#shared/task-status.ts';
import { type ApiCall, connectApi } from '../test/helpers/api-client.ts';
import { launchChromium } from '../test/helpers/chromium.ts';
import { runOf, writeRun } from '../test/helpers/run-results.ts';
import { startServer, type TestServer } from '../test/helpers/server.ts';
import { tabMemory } from '../test/helpers/tab-memory.ts';
import { runToEnd } from './processes.ts';

const [hosts = 1000, tasks = 100] = process.argv.slice(2).map(Number);
/** Milliseconds; `memory` is MB of the process of the tab. */
const limits = { open: 1000, memory: 100 };
const rounds = 7;
const longestMs = 120_000;

/** A task of the demo project, with the results of a long run in place of its own. */
async function writeTask(server: TestServer, call: ApiCall): Promise<string> {
  const body = { name: 'Bench', demo: true };
  const { id: project } = await call<{ id: number }>('POST', '/api/projects', body);
  const api = `/api/project/${project}`;
  const templates = await call<Template[]>('GET', `${api}/templates`);
  const template_id = templates.find(({ app }) => app === 'ansible')?.id;
  const { id } = await call<Task>('POST', `${api}/tasks`, { template_id });
  for (const end = Date.now() + longestMs; Date.now() < end; await delay(200)) {
    if (isFinished((await call<Task>('GET', `${api}/tasks/${id}`)).status)) break;
  }
  const names = Array.from({ length: hosts }, (_, index) => `web-${index + 1}`);
  const steps = Array.from({ length: tasks }, (_, index) => ({
    name: `Step ${index + 1}`,
    on: (host: number) => ({ state: host % 3 === 0 ? 'changed' : 'ok' }) as const,
  }));
  await writeRun(server.dataDir, id, runOf(names, steps));
  return `${server.address}/project/${project}/tasks/${id}`;
}

async function signIn(browser: Browser, server: TestServer): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(server.address);
  await page.getByLabel('Username').fill('admin');
  await page.getByLabel('Password', { exact: true }).fill(server.password);
  await page.getByLabel('Password', { exact: true }).press('Enter');
  await page.waitForURL(/\/(history|overview|projects?)/);
  await page.close();
  return context;
}

/** Runs in the page: the time at which rows of hosts have been painted, after a click if one is named. */
async function painted(click: string | null): Promise<number> {
  const begun = click === null ? 0 : performance.now();
  const links = [...document.querySelectorAll<HTMLElement>('nav a')];
  if (click !== null) links.findLast(({ textContent }) => textContent === click)?.click();
  return new Promise((resolve) => {
    const look = (): void => {
      if (!document.querySelector('tr[aria-rowindex="5"] a')) requestAnimationFrame(look);
      // This frame follows the one that has drawn the rows.
      else requestAnimationFrame(() => resolve(performance.now() - begun));
    };
    look();
  });
}

const failed: string[] = [];

function tell(what: string, values: number[], limit: number, unit: string): void {
  const sorted = values.toSorted((one, other) => one - other);
  const median = sorted[Math.floor(sorted.length / 2)] ?? NaN;
  if (!(median <= limit)) failed.push(what);
  const range = `${sorted[0]?.toFixed(0)} to ${sorted.at(-1)?.toFixed(0)}`;
  const verdict = median <= limit ? 'met' : 'MISSED';
  console.log(
    `${what}: median ${median.toFixed(0)} ${unit} (${range}); limit ${limit}: ${verdict}`,
  );
}

async function measure(browser: Browser, server: TestServer): Promise<void> {
  const address = await writeTask(server, await connectApi(server));
  const context = await signIn(browser, server);
  const [whole, clicked, memory]: number[][] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    // A tab of its own has a process of its own, without what earlier pages have left there.
    const page = await context.newPage();
    await page.goto(`${address}?view=hosts`, { waitUntil: 'domcontentloaded' });
    whole?.push(await page.evaluate(painted, null));
    memory?.push((await tabMemory(browser)).own);
    await page.goto(address);
    await page.getByRole('navigation', { name: 'Views of the run' }).waitFor();
    clicked?.push(await page.evaluate(painted, 'Hosts'));
    await page.close();
  }
  console.log(`${hosts} hosts with ${tasks} tasks, ${rounds} rounds`);
  tell('  Loading the page with the hosts, to its first paint', whole ?? [], limits.open, 'ms');
  tell('  From the log to the hosts, to the first paint', clicked ?? [], limits.open, 'ms');
  tell("  Memory of the tab's process", memory ?? [], limits.memory, 'MB');
}

console.log(
  `Load of the machine before: ${loadavg()[0]?.toFixed(1)} on ${cpus().length} processors`,
);
const built = await runToEnd(process.execPath, ['node_modules/vite/bin/vite.js', 'build']);
if (built.code !== 0) throw new Error(built.output);
const server = await startServer({});
const browser = await launchChromium();
try {
  await measure(browser, server);
} finally {
  await browser.close();
  await server.stop();
}
if (failed.length > 0) process.exitCode = 1;
