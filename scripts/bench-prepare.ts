// `npm run bench:prepare`: measures how long a task of a large repository prepares, from the request that
// launches it to the start of its program. The repository has 30,000 files and 3,000 commits; it is read
// from a folder, and from a git server on this machine. For comparison, the same run measures what
// git itself takes to ask for the refs and to lay out the same files. `-- 10` for ten rounds.

import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Task } from '#shared/api/tasks.ts';
import { isFinished } from '#shared/task-status.ts';
import { connectApi, type ApiCall } from '../test/helpers/api-client.ts';
import { startServer, type TestServer } from '../test/helpers/server.ts';

const rounds = Number(process.argv[2] ?? 5);
const fileCount = 30_000;
const commitCount = 3000;
const targetMs = 300;
const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
const repository = join(folder, 'large');
const starts = join(folder, 'starts');

function runGit(args: string[], input?: string): void {
  const { status, stderr } = spawnSync('git', args, { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args[0]}: ${stderr}`);
}

/** One stream for `git fast-import`, which takes seconds where commits one by one take minutes. */
function makeRepository(): void {
  const lines = Array.from({ length: 60 }, (_, index) => `line ${index} of a file\n`).join('');
  const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const file = (index: number, text: string): string =>
    `M 100644 inline d${index % 100}/e${Math.floor(index / 100) % 30}/f${index}.yml\n${data(text)}`;
  const commit = (number: number): string =>
    `commit refs/heads/main\ncommitter A <a@example.com> ${1_700_000_000 + number} +0000\n${data(`Change ${number}`)}`;
  const parts = [commit(0), `M 100644 inline run.sh\n${data(`date +%s%N >> '${starts}'\n`)}`];
  for (let index = 0; index < fileCount; index += 1)
    parts.push(file(index, `# ${index}\n${lines}`));
  for (let number = 1; number <= commitCount; number += 1) {
    const index = (number * 7919) % fileCount;
    parts.push(commit(number), file(index, `# ${index} ${number}\n${lines}`));
  }
  runGit(['init', '--quiet', '--bare', '--initial-branch=main', repository]);
  runGit(['-C', repository, 'fast-import', '--quiet'], parts.join(''));
}

/** Serves the repository at an address of this machine; answers the address. */
async function serveRepository(): Promise<{ url: string; stop: () => void }> {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => probe.once('listening', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  const where = ['--listen=127.0.0.1', `--port=${port}`, `--base-path=${folder}`];
  const daemon = spawn('git', ['daemon', '--reuseaddr', '--export-all', ...where], {
    stdio: 'ignore',
    detached: true,
  });
  const url = `git://127.0.0.1:${port}/large`;
  while (spawnSync('git', ['ls-remote', url, 'HEAD']).status !== 0) await delay(50);
  return { url, stop: () => void process.kill(-(daemon.pid ?? 0)) };
}

function measureMs(work: () => void): number {
  const begun = performance.now();
  work();
  return performance.now() - begun;
}

const summary = (values: number[]): string => {
  const sorted = values.toSorted((a, b) => a - b).map((value) => value.toFixed(0));
  return `median ${sorted[Math.floor(sorted.length / 2)]} ms, least ${sorted[0]} ms, most ${sorted.at(-1)} ms`;
};

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

async function launchOnce(call: ApiCall, project: string, templateId: number): Promise<number> {
  const asked = performance.timeOrigin + performance.now();
  const task = await call<Task>('POST', `${project}/tasks`, { template_id: templateId });
  for (;;) {
    const { status } = await call<Task>('GET', `${project}/tasks/${task.id}`);
    if (isFinished(status)) break;
    await delay(50);
  }
  const last = readFileSync(starts, 'utf8').trim().split('\n').at(-1) ?? '';
  return Number(BigInt(last) / 1000n) / 1000 - asked;
}

/** Waits until the files for the next run are ready, as between runs that do not follow at once. */
async function untilReady(server: TestServer): Promise<void> {
  const spares = join(server.dataDir, 'spares');
  const isReady = (): boolean => {
    try {
      return readdirSync(spares).some((name) => readdirSync(join(spares, name)).includes('index'));
    } catch {
      return false;
    }
  };
  for (let tries = 0; tries < 200 && !isReady(); tries += 1) await delay(100);
}

async function measure(server: TestServer, name: string, url: string): Promise<number> {
  const call = await connectApi(server);
  const { id } = await call<{ id: number }>('POST', '/api/projects', { name, demo: false });
  const project = `/api/project/${id}`;
  const key = await call<{ id: number }>('POST', `${project}/keys`, { name: 'None', type: 'none' });
  const place = { name, git_url: url, git_branch: 'main', ssh_key_id: key.id };
  const { id: repository_id } = await call<{ id: number }>(
    'POST',
    `${project}/repositories`,
    place,
  );
  const template = { name, app: 'bash', playbook: 'run.sh', repository_id };
  const { id: templateId } = await call<{ id: number }>('POST', `${project}/templates`, template);
  const first = await launchOnce(call, project, templateId);
  const later: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await untilReady(server);
    later.push(await launchOnce(call, project, templateId));
  }
  const atOnce = await launchOnce(call, project, templateId);
  console.log(`${name}, launch to start of the program, ${rounds} rounds: ${summary(later)}`);
  console.log(`  the first, which also makes the mirror: ${first.toFixed(0)} ms`);
  console.log(`  one right after the end of another: ${atOnce.toFixed(0)} ms`);
  return median(later);
}

function measureGit(url: string): void {
  const asks = Array.from({ length: rounds }, () => measureMs(() => runGit(['ls-remote', url])));
  const clones = Array.from({ length: rounds }, () => {
    const target = join(folder, 'clone');
    rmSync(target, { recursive: true, force: true });
    return measureMs(() => runGit(['clone', '--quiet', '--shared', repository, target]));
  });
  console.log(`git ls-remote alone: ${summary(asks)}`);
  console.log(`git clone --shared alone, which lays out the files: ${summary(clones)}`);
}

makeRepository();
const remote = await serveRepository();
const server = await startServer({ env: { SIGNALBOX_LOCAL_REPOSITORIES: folder } });
try {
  measureGit(remote.url);
  const medians = [
    await measure(server, 'From a folder', repository),
    await measure(server, 'From a git server', remote.url),
  ];
  const isMet = medians.every((value) => value < targetMs);
  console.log(`Target: medians under ${targetMs} ms: ${isMet ? 'met' : 'MISSED'}`);
} finally {
  await server.stop();
  remote.stop();
  rmSync(folder, { recursive: true, force: true });
}
