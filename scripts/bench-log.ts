// `npm run bench:log [-- LINES [LAUNCHES]]`: one task prints as fast as it can, with twenty secrets
// to be masked. It measures how many lines a second are stored, how this affects the start of other
// tasks, the memory and the event loop of the server, and how long a search through the log takes
// afterwards. Each start is compared with the same start on the idle server, in the same run.

import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { delimiter, join } from 'node:path';
import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { LogHits } from '#shared/api/task-log.ts';
import type { Task } from '#shared/api/tasks.ts';
import type { Template } from '#shared/api/templates.ts';
import { isFinished } from '#shared/task-status.ts';
import { connectApi, type ApiCall } from '../test/helpers/api-client.ts';
import { startServer, type TestServer } from '../test/helpers/server.ts';
import { median } from './bench/rows.ts';

const lines = Number(process.argv[2] ?? 3_000_000);
const launches = Number(process.argv[3] ?? 15);
// Lines a second; how many times as long a start may take meanwhile; MiB.
const targets = { rate: 100_000, slowdown: 2, memory: 400 };

const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
const starts = join(folder, 'starts');
const loop = join(folder, 'loop');
const probe = join(folder, 'probe.mjs');
const repository = join(folder, 'repository');

// Each line differs from its neighbours and has about a hundred characters, as the lines of Ansible
// have.
const flood = `exec awk 'BEGIN { for (i = 1; i <= ${lines}; i++) printf "\\033[0;32mok: [host-%d.example.com] => (item=package-%d) changed=0 unreachable=0 failed=0 skipped=%d\\033[0m\\n", i % 40, i, i % 7 }'\n`;

const secrets = Object.fromEntries(
  Array.from({ length: 20 }, (_, index) => [`secret_${index}`, randomBytes(12).toString('base64')]),
);

/** The playbook is a shell script here; short playbooks note when they began. */
function writeFiles(): void {
  const program = join(folder, 'ansible-playbook');
  writeFileSync(program, '#!/bin/sh\nfor playbook in "$@"; do :; done\nexec sh "$playbook"\n');
  chmodSync(program, 0o755);
  // The probe answers the delay of the event loop since the last question.
  writeFileSync(
    probe,
    `import { monitorEventLoopDelay } from 'node:perf_hooks';
import { writeFileSync } from 'node:fs';
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
process.on('SIGUSR2', () => {
  const [p50, p99, max] = [delay.percentile(50), delay.percentile(99), delay.max];
  delay.reset();
  writeFileSync(${JSON.stringify(loop)}, JSON.stringify([p50, p99, max].map((ns) => ns / 1e6)));
});
`,
  );
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', repository]);
  writeFileSync(join(repository, 'small.yml'), `date +%s%N >> '${starts}'\n`);
  writeFileSync(join(repository, 'flood.yml'), flood);
  const git = ['-C', repository, '-c', 'user.name=Bench', '-c', 'user.email=bench@example.com'];
  execFileSync('git', [...git, 'add', '--all']);
  execFileSync('git', [...git, 'commit', '--quiet', '--message', 'Add the playbooks']);
}

interface Bench {
  call: ApiCall;
  project: string;
  server: TestServer;
  templates: Record<'small' | 'flood', number>;
}

async function setUp(server: TestServer): Promise<Bench> {
  const call = await connectApi(server);
  const { id } = await call<{ id: number }>('POST', '/api/projects', { name: 'Bench' });
  const project = `/api/project/${id}`;
  const make = async (noun: string, body: object): Promise<number> =>
    (await call<{ id: number }>('POST', `${project}/${noun}`, body)).id;
  const key = await make('keys', { name: 'Nothing', type: 'none' });
  const source = { name: 'Code', git_url: repository, git_branch: 'main', ssh_key_id: key };
  const repositoryId = await make('repositories', source);
  const hosts = { name: 'Hosts', type: 'static', inventory: 'localhost', ssh_key_id: key };
  const inventoryId = await make('inventory', hosts);
  const environmentId = await make('environment', { name: 'Nothing' });
  const template = async (name: string, survey: object[] = []): Promise<number> => {
    const body = {
      name,
      survey_vars: survey,
      playbook: `${name}.yml`,
      repository_id: repositoryId,
      inventory_id: inventoryId,
      environment_id: environmentId,
    };
    return (await call<Template>('POST', `${project}/templates`, body)).id;
  };
  const survey = Object.keys(secrets).map((name) => ({ name, title: name, type: 'secret' }));
  const templates = { small: await template('small'), flood: await template('flood', survey) };
  return { call, project, server, templates };
}

async function untilEnd({ call, project }: Bench, id: number): Promise<Task> {
  for (;;) {
    const task = await call<Task>('GET', `${project}/tasks/${id}`);
    if (isFinished(task.status)) return task;
    await delay(50);
  }
}

/** Milliseconds from the request to the first command of the task. */
async function launchSmall(bench: Bench): Promise<number> {
  const { call, project, templates } = bench;
  const asked = performance.timeOrigin + performance.now();
  const { id } = await call<Task>('POST', `${project}/tasks`, { template_id: templates.small });
  await untilEnd(bench, id);
  const last = readFileSync(starts, 'utf8').trim().split('\n').at(-1) ?? '';
  return Number(BigInt(last) / 1000n) / 1000 - asked;
}

async function launchSeveral(bench: Bench, isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  while (times.length < launches && !isOver()) times.push(await launchSmall(bench));
  return times;
}

async function loopDelay({ server }: Bench): Promise<string> {
  rmSync(loop, { force: true });
  server.child.kill('SIGUSR2');
  for (;;) {
    await delay(20);
    try {
      const [p50 = 0, p99 = 0, max = 0] = JSON.parse(readFileSync(loop, 'utf8')) as number[];
      return `median ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, most ${max.toFixed(0)} ms`;
    } catch {
      // The file is not written yet.
    }
  }
}

/** The MiB that the server uses. */
function memoryOf({ server }: Bench): number {
  const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** The CPU seconds of the server so far. */
function processorTime({ server }: Bench): number {
  const stat = readFileSync(`/proc/${server.child.pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

interface Flood {
  task: Task;
  seconds: number;
  processor: number;
  most: number;
  others: number[];
}

async function measureFlood(bench: Bench): Promise<Flood> {
  const { call, project, templates } = bench;
  const begun = performance.now();
  const launch = { template_id: templates.flood, secret: JSON.stringify(secrets) };
  const computed = processorTime(bench);
  const { id } = await call<Task>('POST', `${project}/tasks`, launch);
  const over = new AbortController();
  const isOver = (): boolean => over.signal.aborted;
  let most = 0;
  const watching = (async () => {
    while (!isOver()) {
      most = Math.max(most, memoryOf(bench));
      await delay(50);
    }
  })();
  const others = launchSeveral(bench, isOver);
  const task = await untilEnd(bench, id);
  const seconds = (performance.now() - begun) / 1000;
  const processor = processorTime(bench) - computed;
  over.abort();
  await watching;
  return { task, seconds, processor, most, others: await others };
}

const verdict = (isMet: boolean): string => (isMet ? 'met' : 'MISSED');
const shown = (count: number): string => Math.round(count).toLocaleString('en');

async function measure(bench: Bench): Promise<void> {
  await launchSmall(bench);
  const never = (): boolean => false;
  const idle = await launchSeveral(bench, never);
  const before = memoryOf(bench);
  const idleLoop = await loopDelay(bench);
  const { task, seconds, processor, most, others } = await measureFlood(bench);
  const floodLoop = await loopDelay(bench);
  // The idle server is measured again afterwards, because the load of the machine changes.
  idle.push(...(await launchSeveral(bench, never)));
  const rate = task.log_lines / seconds;
  console.log(`One task printed ${shown(task.log_lines)} lines in ${seconds.toFixed(1)} s:`);
  console.log(
    `  ${shown(rate)} lines a second stored; target ${shown(targets.rate)}: ${verdict(rate >= targets.rate)}`,
  );
  console.log(`  ${processor.toFixed(1)} s of processor time, for the other tasks too`);
  const ratio = median(others) / median(idle);
  console.log(`Launch to first command of ${others.length} other tasks meanwhile:`);
  console.log(
    `  median ${median(others).toFixed(0)} ms, idle ${median(idle).toFixed(0)} ms, ratio ${ratio.toFixed(2)}; target ${targets.slowdown}: ${verdict(ratio <= targets.slowdown)}`,
  );
  console.log(`Delay of the event loop: ${floodLoop}; idle: ${idleLoop}`);
  console.log(
    `Memory: ${most.toFixed(0)} MiB at most, ${before.toFixed(0)} before; target ${targets.memory}: ${verdict(most <= targets.memory)}`,
  );
  await measureSearch(bench, task);
}

async function measureSearch(bench: Bench, { id }: Task): Promise<void> {
  const { call, project } = bench;
  for (const q of ['item=package-999999)', 'nowhere']) {
    const begun = performance.now();
    const path = `${project}/tasks/${id}/search?q=${encodeURIComponent(q)}`;
    const { total } = await call<LogHits>('GET', path);
    const seconds = (performance.now() - begun) / 1000;
    console.log(`Search for "${q}": ${total} hits in ${seconds.toFixed(1)} s`);
  }
  console.log(`  delay of the event loop: ${await loopDelay(bench)}`);
}

writeFiles();
const server = await startServer({
  env: {
    PATH: `${folder}${delimiter}${process.env['PATH']}`,
    NODE_OPTIONS: `--import=${probe}`,
    SIGNALBOX_LOCAL_REPOSITORIES: '/',
  },
});
try {
  await measure(await setUp(server));
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
