// Only on SQLite: what keeps a server busy is read before a statement is sent.
// Slow: everything that keeps a server busy is sent to it.
// Sends what strangers, guests and repositories can send to keep a server busy, one after the other
// while a playbook runs: its log goes on, and nobody else waits.

import { once } from 'node:events';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { WebSocket } from 'ws';
import { expect, onTestFinished, test } from 'vitest';
import { repositories } from '#shared/api/repositories.ts';
import { type Caller, testApp } from '../helpers/app.ts';
import { makeGate } from '../helpers/gate.ts';
import type { RepeatedText } from '../helpers/send-body.ts';
import { git, seedProject } from '../helpers/seed.ts';
import { watchStalls } from '../helpers/stall-watch.ts';
import { launch, logText, untilFinished } from '../helpers/tasks.ts';
import { until } from '../helpers/until.ts';

/** The milliseconds of CPU time for which everybody may have to wait. */
const longestStall = 250;

const repeat = (text: string, count: number): string => text.repeat(count);

/**
 * Sends a body as fast as the server takes it; returns the status, or null if the connection was
 * closed. A thread of its own makes and sends it, since the time of the sender must not count as the
 * server's.
 */
async function post(
  address: string,
  path: string,
  headers: object,
  body: RepeatedText,
): Promise<number | null> {
  const workerData = { url: `${address}${path}`, headers, body };
  const sender = new Worker(new URL('../helpers/send-body.ts', import.meta.url), { workerData });
  const [status] = (await once(sender, 'message')) as [number | null];
  await sender.terminate();
  return status;
}

/** A project with a playbook that prints until it is told to end, and with one of each thing. */
async function setUp() {
  const app = await testApp({ runner: true });
  const address = await app.listen();
  const gate = await makeGate();
  const script = `i=0; until ${gate.isOpen}; do i=$((i + 1)); echo "line $i"; sleep 0.05; done\n`;
  const seed = await seedProject(app.admin, { 'play.yml': script });
  const params = { project_id: seed.projectId, repository_id: seed.repositoryId };
  const { git_url: path } = await app.admin.call(repositories.one, { params });
  for (const folder of ['huge', 'endless']) {
    await mkdir(join(path, folder));
    await writeFile(join(path, folder, 'play.yml'), 'echo done\n');
  }
  const role = '- {src: "https://example.com/a.git", scm: git, version: main, name: a}\n';
  await writeFile(join(path, 'huge/requirements.yml'), repeat(role, 7_700_000 / role.length));
  await symlink('/dev/zero', join(path, 'endless/requirements.yml'));
  await git(path, 'add', '--all');
  await git(path, 'commit', '--quiet', '--message', 'Add what is hard to read');
  return { app, address, gate, seed };
}

type Setup = Awaited<ReturnType<typeof setUp>>;

const asUser = ({ cookie }: Caller) => ({ cookie });

async function runOf({ app, seed }: Setup, playbook: string): Promise<void> {
  const template = await seed.template({ name: playbook, playbook });
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  await untilFinished(app.admin, task);
}

async function openSockets(address: string, { cookie }: Caller, count: number): Promise<void> {
  const sockets: WebSocket[] = [];
  onTestFinished(() => sockets.forEach((socket) => socket.terminate()));
  for (let index = 0; index < count; index += 1) {
    const socket = new WebSocket(`${address.replace(/^http/, 'ws')}/api/ws`, {
      headers: { cookie },
    });
    sockets.push(socket);
    await new Promise((resolve) => {
      socket.once('open', resolve);
      socket.once('error', resolve);
    });
  }
}

const carriageReturns = repeat('\r', 40_000);

const attacks: Record<string, (setup: Setup, stranger: Caller) => Promise<unknown>> = {
  'a deep body of a public route': ({ address }) =>
    post(address, '/api/auth/login', {}, { piece: '[', count: 4_000_000 }),
  'a large body of a public route': ({ address }) =>
    post(
      address,
      '/api/auth/logout',
      {},
      { before: '{"a": "', piece: 'x', count: 12_000_000, after: '"}' },
    ),
  'a deep body of a restore': ({ address, app }) =>
    post(address, '/api/projects/restore', asUser(app.admin), { piece: '[{"a":', count: 700_000 }),
  'a large body of a restore': ({ address }, stranger) =>
    post(address, '/api/projects/restore', asUser(stranger), { piece: '[]', count: 6_000_000 }),
  'a huge file of requirements': (setup) => runOf(setup, 'huge/play.yml'),
  'a file without an end': (setup) => runOf(setup, 'endless/play.yml'),
  'an answer of carriage returns': async ({ app, seed }) => {
    const survey_vars = [{ name: 'text', title: 'Text', type: 'text' as const }];
    const template = await seed.template({ name: 'Survey', survey_vars });
    const environment = JSON.stringify({ text: carriageReturns });
    await launch(app.admin, seed.projectId, { template_id: template.id, environment });
  },
  'a search for carriage returns': async ({ app, seed }, stranger) => {
    const url = `/api/project/${seed.projectId}/tasks/1/search`;
    await stranger.raw({ method: 'GET', url: `${url}?q=${encodeURIComponent(carriageReturns)}` });
    await app.admin.raw({ method: 'GET', url: `${url}?q=%5Cr%2B%24` });
  },
  'two thousand sockets': ({ address }, stranger) => openSockets(address, stranger, 2000),
};

test('no request delays a playbook or its readers', async () => {
  const setup = await setUp();
  const { app, gate, seed } = setup;
  const stranger = await app.user('stranger');
  const running = await launch(app.admin, seed.projectId, {
    template_id: (await seed.template({ name: 'Long' })).id,
  });
  const countLines = async (): Promise<number> =>
    (await logText(app.admin, running)).split('\n').length;
  await until(async () => (await countLines()) > 5);
  const stalls = watchStalls();
  for (const [name, attack] of Object.entries(attacks)) {
    const before = await countLines();
    await delay(0);
    stalls.longest();
    await attack(setup, stranger);
    const longest = stalls.longest();
    expect([name, longest < longestStall ? 'nobody waits' : longest]).toEqual([
      name,
      'nobody waits',
    ]);
    await until(async () => (await countLines()) > before);
  }
  stalls.stop();
  await gate.open();
  expect((await untilFinished(app.admin, running)).status).toBe('success');
});

test('the measurement notices a stall', async () => {
  const stalls = watchStalls();
  const end = process.threadCpuUsage().user + 300_000;
  while (process.threadCpuUsage().user < end);
  expect(stalls.longest()).toBeGreaterThan(longestStall);
  stalls.stop();
});
