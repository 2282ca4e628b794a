// `npm run bench:log:console [-- LINES [RATE [SECONDS]]]`: measures the log of a task in a browser:
// how fast a long finished log opens, how fast any of its lines is reached, how much memory the
// process of the tab then uses, and how long frames take while a task prints at a steady rate. It
// uses the built console and a real server; both share the machine with the browser.

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import type { Task } from '#shared/api/tasks.ts';
import { isFinished } from '#shared/task-status.ts';
import { type ApiCall, connectApi } from '../test/helpers/api-client.ts';
import { launchChromium } from '../test/helpers/chromium.ts';
import { writeLog } from '../test/helpers/console-tasks.ts';
import { startServer, type TestServer } from '../test/helpers/server.ts';
import { tabMemory } from '../test/helpers/tab-memory.ts';
import { runToEnd } from './processes.ts';

const [lines = 1_000_000, rate = 5000, seconds = 20] = process.argv.slice(2).map(Number);
/** Milliseconds; `memory` is MB of the process of the tab. */
const limits = { open: 1000, jump: 300, memory: 250, frame: 100 };
const jumps = 40;
const batchesASecond = 10;

const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
const stars = '*'.repeat(60);

/** The text of a line as Ansible prints it: a play every 10,000 lines, a task every 100. */
function textOf(number: number): string {
  if (number % 10_000 === 1) return `PLAY [Part ${Math.ceil(number / 10_000)}] ${stars}`;
  if (number % 100 === 2) return `TASK [role : Step ${Math.ceil(number / 100)}] ${stars}`;
  const host = `[host-${number % 100}.example.com]`;
  if (number % 25_000 === 77) return `\u001b[0;31mfatal: ${host}: FAILED! => {"rc": 1}\u001b[0m`;
  return `\u001b[0;32mok: ${host} => (item=package-${number}) changed=0 skipped=${number % 7}\u001b[0m`;
}

/** Takes the place of Ansible: prints in batches at the given rate. */
const flood = `
import { setTimeout as delay } from 'node:timers/promises';
const each = ${rate / batchesASecond};
const begun = performance.now();
for (let batch = 0; batch < ${seconds * batchesASecond}; batch += 1) {
  let text = '';
  for (let line = batch * each + 1; line <= (batch + 1) * each; line += 1) {
    text += line % 100 === 2 ? 'TASK [Step ' + line + '] ${stars}\\n' : 'ok: [host-' + line + '.example.com] => (item=package-' + line + ') changed=0 unreachable=0 failed=0\\n';
  }
  process.stdout.write(text);
  await delay(Math.max(0, begun + (batch + 1) * ${1000 / batchesASecond} - performance.now()));
}
`;

interface Bench {
  server: TestServer;
  browser: Browser;
  call: ApiCall;
  page: Page;
  project: string;
  template: number;
}

function writePrograms(): string {
  const program = join(folder, 'ansible-playbook');
  const run = `#!/bin/sh\nexec '${process.execPath}' '${join(folder, 'flood.mjs')}'\n`;
  writeFileSync(program, run);
  chmodSync(program, 0o755);
  writeFileSync(join(folder, 'flood.mjs'), flood);
  const repository = join(folder, 'repository');
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', repository]);
  writeFileSync(join(repository, 'play.yml'), '');
  const git = ['-C', repository, '-c', 'user.name=Bench', '-c', 'user.email=bench@example.com'];
  execFileSync('git', [...git, 'add', '--all']);
  execFileSync('git', [...git, 'commit', '--quiet', '--message', 'Add a playbook']);
  return repository;
}

/** Adds a template whose task prints at the given rate. */
async function makeTemplate(call: ApiCall, project: string, repository: string): Promise<number> {
  const make = async (noun: string, body: object): Promise<number> =>
    (await call<{ id: number }>('POST', `${project}/${noun}`, body)).id;
  const key = await make('keys', { name: 'Nothing', type: 'none' });
  const source = { name: 'Code', git_url: repository, git_branch: 'main', ssh_key_id: key };
  const hosts = { name: 'Hosts', type: 'static', inventory: 'localhost', ssh_key_id: key };
  return make('templates', {
    name: 'Flood',
    playbook: 'play.yml',
    repository_id: await make('repositories', source),
    inventory_id: await make('inventory', hosts),
    environment_id: await make('environment', { name: 'Nothing' }),
  });
}

async function setUp(server: TestServer, browser: Browser, repository: string): Promise<Bench> {
  const call = await connectApi(server);
  const { id } = await call<{ id: number }>('POST', '/api/projects', { name: 'Bench' });
  const project = `/project/${id}`;
  const template = await makeTemplate(call, `/api${project}`, repository);
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(watchPage);
  await page.goto(server.address);
  await page.getByLabel('Username').fill('admin');
  await page.getByLabel('Password', { exact: true }).fill(server.password);
  await page.getByLabel('Password', { exact: true }).press('Enter');
  await page.waitForURL(/\/history/);
  return { server, browser, call, page, project, template };
}

declare global {
  interface Window {
    /** Settles with the time at which a line has been painted with its text. */
    painted: (line: number | null) => Promise<number>;
    /** The frames that took longer than a limit in milliseconds, since the last call. */
    seenFrames: { longest: number; late: number };
  }
}

/** Runs in the page. */
function watchPage(): void {
  const isShown = (line: number | null): boolean => {
    const link = document.querySelector(line ? `[data-line="${line}"]` : '[data-line]');
    const text = link?.parentElement?.nextElementSibling?.textContent;
    return text !== undefined && text !== null && text !== '…';
  };
  window.painted = (line) =>
    new Promise((resolve) => {
      const look = () => {
        if (!isShown(line)) requestAnimationFrame(look);
        // This frame follows the one that has drawn the line.
        else requestAnimationFrame(() => resolve(performance.now()));
      };
      look();
    });
  window.seenFrames = { longest: 0, late: 0 };
  let last = performance.now();
  const frame = (): void => {
    const now = performance.now();
    const record = window.seenFrames;
    record.longest = Math.max(record.longest, now - last);
    if (now - last > 100) record.late += 1;
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

async function untilEnd({ call, project }: Bench, id: number): Promise<Task> {
  for (;;) {
    const task = await call<Task>('GET', `/api${project}/tasks/${id}`);
    if (isFinished(task.status)) return task;
    await delay(100);
  }
}

const start = ({ call, project, template }: Bench): Promise<Task> =>
  call('POST', `/api${project}/tasks`, { template_id: template });

function* allLines(): Generator<string> {
  for (let number = 1; number <= lines; number += 1) yield textOf(number);
}

const failed: string[] = [];

function tell(what: string, value: number, limit: number, unit: string): void {
  const isMet = value <= limit;
  if (!isMet) failed.push(what);
  const verdict = isMet ? 'met' : 'MISSED';
  console.log(`${what}: ${value.toFixed(0)} ${unit}; limit ${limit}: ${verdict}`);
}

async function measureOpening(bench: Bench, task: Task): Promise<void> {
  const { page, project, server } = bench;
  await page.goto(`${server.address}${project}/tasks/${task.id}`, { waitUntil: 'commit' });
  const cold = await page.evaluate(() => window.painted(null));
  await page.goto(`${server.address}${project}/history`);
  const link = page.getByRole('link', { name: `#${task.id}`, exact: true }).first();
  await link.waitFor();
  const clicked = link.evaluate(async (element) => {
    const begun = performance.now();
    (element as HTMLElement).click();
    return (await window.painted(null)) - begun;
  });
  tell('Loading the page of the log again, to its first paint', cold, limits.open, 'ms');
  tell('Opening the dialog, to its first paint', await clicked, limits.open, 'ms');
}

async function jumpTo(page: Page, line: number): Promise<number> {
  await page.getByLabel('Go to line').fill(String(line));
  return page.evaluate(async (number) => {
    const input = document.querySelector('[aria-label="Go to line"]');
    const begun = performance.now();
    input?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    return (await window.painted(number)) - begun;
  }, line);
}

async function measureJumps(bench: Bench, what: string): Promise<void> {
  const times: number[] = [];
  for (let jump = 0; jump < jumps; jump += 1) {
    // The lines are far apart and in no order.
    const line = ((jump * 617_411 + 12_345) % lines) + 1;
    times.push(await jumpTo(bench.page, line));
  }
  times.sort((a, b) => a - b);
  const median = times[Math.floor(times.length / 2)] ?? NaN;
  console.log(`Jumping to ${jumps} lines, ${what}: median ${median.toFixed(0)} ms`);
  tell('  the slowest of them', times.at(-1) ?? NaN, limits.jump, 'ms');
}

async function tellMemory(bench: Bench, when: string): Promise<void> {
  const { own, resident } = await tabMemory(bench.browser);
  tell(`Memory of the tab's process ${when}`, own, limits.memory, 'MB');
  console.log(`  with what it shares with other processes: ${resident.toFixed(0)} MB`);
}

async function measureLong(bench: Bench): Promise<void> {
  const { page } = bench;
  const { id } = await start(bench);
  const task = await untilEnd(bench, id);
  await writeLog(bench.server.dataDir, id, allLines());
  await measureOpening(bench, task);
  await page.getByRole('button', { name: /^Outline/ }).waitFor({ timeout: 60_000 });
  await tellMemory(bench, 'with the outline');
  await measureJumps(bench, 'nothing folded');
  await page.getByRole('button', { name: 'Fold all tasks' }).click();
  await measureJumps(bench, 'each in a folded task');
  await tellMemory(bench, 'after the jumps');
}

interface Frames {
  longest: number;
  late: number;
}

/** How long frames took while something else went on in the page. */
async function watchFrames(page: Page, meanwhile: () => Promise<unknown>): Promise<Frames> {
  await page.evaluate(() => {
    window.seenFrames = { longest: 0, late: 0 };
  });
  await meanwhile();
  return page.evaluate(() => window.seenFrames);
}

async function measureFollowing(bench: Bench): Promise<void> {
  const { page, project, server } = bench;
  const { id: before } = await start(bench);
  await page.goto(`${server.address}${project}/tasks/${before}?line=1`);
  const { log_lines: total } = await untilEnd(bench, before);
  // The same page beside the same work, with nothing to draw, shows what the machine itself costs.
  const idle = await watchFrames(page, async () => untilEnd(bench, (await start(bench)).id));
  const { id } = await start(bench);
  await page.goto(`${server.address}${project}/tasks/${id}`);
  await page.locator('[data-line]').first().waitFor();
  const frames = await watchFrames(page, () => untilEnd(bench, id));
  await page.locator(`[data-line="${total}"]`).waitFor();
  console.log(`Following ${total} lines at ${rate} a second: ${frames.late} frames over 100 ms`);
  tell('  the longest frame', frames.longest, limits.frame, 'ms');
  console.log(
    `  beside the same task unseen: ${idle.late} over 100 ms, the longest ${idle.longest.toFixed(0)} ms`,
  );
  await tellMemory(bench, 'after following');
}

console.log(
  `Load of the machine before: ${loadavg()[0]?.toFixed(1)} on ${cpus().length} processors`,
);
const built = await runToEnd(process.execPath, ['node_modules/vite/bin/vite.js', 'build']);
if (built.code !== 0) throw new Error(built.output);
const repository = writePrograms();
const server = await startServer({
  env: {
    PATH: `${folder}${delimiter}${process.env['PATH']}`,
    SIGNALBOX_LOCAL_REPOSITORIES: '/',
  },
});
const browser = await launchChromium();
try {
  const bench = await setUp(server, browser, repository);
  await measureLong(bench);
  await measureFollowing(bench);
} finally {
  await browser.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
if (failed.length > 0) process.exitCode = 1;
