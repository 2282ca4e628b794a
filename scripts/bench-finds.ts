// `npm run bench:finds [-- TASKS [TEMPLATES [PROJECTS]]]`: measures how fast the console finds things
// among 20,000 tasks, 300 templates and 40 projects: a template by three letters in the palette and in
// its list, the failures of the history, and the runs of a commit. Each time is that from the last key or
// click to the frame that shows what was looked for.

import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Task } from '#shared/api/tasks.ts';
import { createLog } from '../src/runner/system/log.ts';
import { loadConfig } from '../src/server/config/config.ts';
import { openContext } from '../src/server/open-context.ts';
import { connectApi } from '../test/helpers/api-client.ts';
import { launchChromium } from '../test/helpers/chromium.ts';
import { insertMany } from '../test/helpers/many/insert.ts';
import { firstId, type Size } from '../test/helpers/many/rows.ts';
import { startServer, type TestServer } from '../test/helpers/server.ts';
import { runToEnd } from './processes.ts';

const [tasks = 20_000, templates = 300, projects = 40] = process.argv.slice(2).map(Number);
const limitMs = 200;
const rounds = 7;
const size: Size = {
  projects,
  users: 40,
  templates: templates + projects,
  tasks: tasks + projects,
  events: 1000,
  bigShare: { templates, tasks, events: 900 },
  things: 5,
};

declare global {
  interface Window {
    /** The time of the last key or click. */
    actedAt: number;
    /** Settles with the milliseconds from then to the frame that shows what is looked for. */
    found: Promise<number>;
  }
}

/** Runs in the page. */
function watchActions(): void {
  for (const name of ['keydown', 'click']) {
    window.addEventListener(
      name,
      () => {
        window.actedAt = performance.now();
      },
      true,
    );
  }
}

/** Runs in the page: waits for the frame in which one of the elements has the text. */
function watchPaint([selector, text, most]: Find['found']): void {
  const isShown = (): boolean => {
    const all = [...document.querySelectorAll(selector)];
    return all.length <= most && all.some((one) => one.textContent?.includes(text));
  };
  if (isShown()) throw new Error(`${text} is shown already`);
  window.found = new Promise((resolve) => {
    const look = (): void => {
      if (!isShown()) requestAnimationFrame(look);
      // This frame follows the one that has drawn it.
      else requestAnimationFrame(() => resolve(performance.now() - window.actedAt));
    };
    look();
  });
}

interface Find {
  name: string;
  /** Leads to where something is looked for. */
  prepare: (page: Page) => Promise<void>;
  act: (page: Page) => Promise<void>;
  /** What is looked for, the elements that may show it, and how many of them there are at the most. */
  found: [selector: string, text: string, most: number];
}

function findsIn(address: string, failed: Task, ofCommit: Task): Find[] {
  const at = `${address}/project/${firstId}`;
  const name = `Deploy service ${firstId + Math.floor(templates * 0.59)}`;
  const letters = name.slice(-3);
  const hash = ofCommit.commit_hash?.slice(-12) ?? '';
  return [
    {
      name: 'A template by three letters, in the palette',
      async prepare(page) {
        await page.goto(`${at}/team`);
        await page.getByRole('heading').first().waitFor();
        await page.keyboard.press('Control+k');
        await page.getByRole('dialog').locator('input').waitFor();
      },
      act: (page) => page.keyboard.type(letters),
      found: ['[role=dialog] button', name, 20],
    },
    {
      name: 'A template by three letters, in the list',
      async prepare(page) {
        await page.goto(`${at}/templates`);
        await page.getByRole('row').nth(20).waitFor();
        await page.getByRole('searchbox', { name: 'Search' }).focus();
      },
      act: (page) => page.keyboard.type(letters),
      found: ['td a', name, 60],
    },
    {
      name: 'What failed, in the history',
      async prepare(page) {
        await page.goto(`${at}/history`);
        await page.getByRole('row').nth(20).waitFor();
        await page.getByRole('combobox', { name: 'Status' }).click();
        await page.getByRole('option', { name: 'Failed' }).waitFor();
      },
      act: (page) => page.getByRole('option', { name: 'Failed' }).click(),
      found: ['td a', `#${failed.id}`, 500],
    },
    {
      name: 'The run of a commit, in the history',
      async prepare(page) {
        await page.goto(`${at}/history`);
        await page.getByRole('row').nth(20).waitFor();
        await page.getByRole('searchbox').focus();
      },
      act: (page) => page.keyboard.type(hash),
      found: ['td a', `#${ofCommit.id}`, 500],
    },
  ];
}

/** Answers the times in milliseconds, the shortest first. */
async function measure(page: Page, { prepare, act, found }: Find): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await prepare(page);
    await page.evaluate(watchPaint, found);
    await act(page);
    times.push(await page.evaluate(() => window.found));
  }
  return times.toSorted((one, other) => one - other);
}

async function fill(dataDir: string): Promise<void> {
  // The first start makes the administrator.
  await (await startServer({ dataDir })).end('SIGTERM');
  const config = { ...loadConfig({}), dataDir };
  const ctx = await openContext({ config, log: createLog('fatal') });
  console.log(`${await insertMany(ctx, size)} rows`);
  await ctx.close();
}

async function enter(server: TestServer): Promise<Page> {
  const browser = await launchChromium();
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(30_000);
  await page.addInitScript(watchActions);
  await page.goto(server.address);
  await page.getByLabel('Username').fill('admin');
  await page.getByLabel('Password', { exact: true }).fill(server.password);
  await page.getByLabel('Password', { exact: true }).press('Enter');
  await page.getByLabel('Password', { exact: true }).waitFor({ state: 'detached' });
  return page;
}

async function measureAll(server: TestServer): Promise<boolean> {
  const call = await connectApi(server);
  const list = `/api/project/${firstId}/tasks`;
  // Both are too old for the first page of the history.
  const [failed] = await call<Task[]>('GET', `${list}?status=error&limit=1`);
  const old = await call<Task[]>('GET', `${list}?limit=1&before=${firstId + tasks / 2}`);
  if (!failed || !old[0]) throw new Error('There are no tasks.');
  const page = await enter(server);
  let isMet = true;
  for (const find of findsIn(server.address, failed, old[0])) {
    const times = await measure(page, find);
    const median = times[Math.floor(rounds / 2)] ?? NaN;
    isMet &&= median <= limitMs;
    const range = `${times[0]?.toFixed(0)} to ${times.at(-1)?.toFixed(0)}`;
    const verdict = median <= limitMs ? 'met' : 'MISSED';
    console.log(
      `${find.name}: median ${median.toFixed(0)} ms (${range}); limit ${limitMs}: ${verdict}`,
    );
  }
  await page.context().browser()?.close();
  return isMet;
}

console.log(
  `Load of the machine before: ${loadavg()[0]?.toFixed(1)} on ${cpus().length} processors`,
);
const built = await runToEnd(process.execPath, ['node_modules/vite/bin/vite.js', 'build']);
if (built.code !== 0) throw new Error(built.output);
const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
try {
  const dataDir = join(folder, 'data');
  await fill(dataDir);
  const server = await startServer({ dataDir });
  try {
    if (!(await measureAll(server))) process.exitCode = 1;
  } finally {
    await server.end('SIGTERM');
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
