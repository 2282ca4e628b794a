// `npm run bench:cluster [-- --tasks 150 --rounds 40 --only work|launch]`: measures one, two and
// three runner servers on one PostgreSQL database: tasks started a minute, log lines stored a
// second, and the share of the machine that each part took. Then, in the same run, it compares the
// time from launch to the start of the program: a web server with a runner on another server, and
// one process with SQLite.

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Task } from '#shared/api/tasks.ts';
import { isFinished } from '#shared/task-status.ts';
import { connectApi, type ApiCall } from '../test/helpers/api-client.ts';
import { createDatabase } from '../test/helpers/postgres.ts';
import { startCluster } from '../test/helpers/postgres-cluster.ts';
import { startServer, type TestServer } from '../test/helpers/server.ts';

const { values: asked } = parseArgs({
  options: {
    tasks: { type: 'string', default: '150' },
    rounds: { type: 'string', default: '40' },
    only: { type: 'string', default: 'all' },
  },
});
const count = Number(asked.tasks);
const rounds = Number(asked.rounds);
const loudTasks = 6;
const loudLines = 50_000;
const waits = 5;
const waitingLines = 2000;
const waitingTasks = 20;
const target = 100;
const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
const starts = join(folder, 'starts');
const code = join(folder, 'code');

const scripts = {
  instant: 'exit 0\n',
  loud: `seq 1 ${loudLines}\n`,
  // This task works for a moment and waits for hosts, as most tasks do.
  waiting: `for i in $(seq 1 ${waits}); do seq 1 ${waitingLines}; sleep 1; done\n`,
  stamp: `date +%s%N >> '${starts}'\n`,
};
type Name = keyof typeof scripts;

function writeRepository(): void {
  mkdirSync(code);
  for (const [name, text] of Object.entries(scripts)) writeFileSync(join(code, `${name}.sh`), text);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com', ...args], {
      cwd: code,
    });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Bench');
}

const common = {
  PATH: `${resolve('test/fixtures/bin')}:${process.env['PATH']}`,
  SIGNALBOX_LOCAL_REPOSITORIES: '/',
  SIGNALBOX_MAX_PARALLEL_TASKS: '10',
  NODE_COMPILE_CACHE: join(folder, 'compiled'),
};

interface Bench {
  call: ApiCall;
  project: string;
  templates: Map<Name, number>;
}

async function makeProject(server: TestServer): Promise<Bench> {
  const call = await connectApi(server);
  const { id } = await call<{ id: number }>('POST', '/api/projects', { name: 'Bench' });
  const project = `/api/project/${id}`;
  const [key] = await call<{ id: number }[]>('GET', `${project}/keys`);
  const create = async (noun: string, body: object): Promise<number> =>
    (await call<{ id: number }>('POST', `${project}/${noun}`, body)).id;
  const repository = { name: 'Code', git_url: code, git_branch: 'main', ssh_key_id: key?.id };
  const repository_id = await create('repositories', repository);
  const environment_id = await create('environment', { name: 'Variables' });
  const parts = { app: 'bash', allow_parallel_tasks: true, repository_id, environment_id };
  const templates = new Map<Name, number>();
  for (const name of Object.keys(scripts) as Name[]) {
    templates.set(name, await create('templates', { name, playbook: `${name}.sh`, ...parts }));
  }
  return { call, project, templates };
}

const launch = ({ call, project, templates }: Bench, name: Name): Promise<Task> =>
  call<Task>('POST', `${project}/tasks`, { template_id: templates.get(name) });

/** Launches so many tasks at once; answers the seconds from the first launch to the last end. */
async function runAll(bench: Bench, name: Name, times: number): Promise<number> {
  const begun = performance.now();
  const launched = await Promise.all(Array.from({ length: times }, () => launch(bench, name)));
  const ids = new Set(launched.map(({ id }) => id));
  for (let tries = 0; tries < 2400; tries += 1) {
    await delay(250);
    const list = await bench.call<Task[]>('GET', `${bench.project}/tasks/last?limit=1000`);
    const own = list.filter(({ id }) => ids.has(id));
    const failed = own.find(({ status }) => isFinished(status) && status !== 'success');
    if (failed) throw new Error(`Task ${failed.id} ended as ${failed.status}`);
    if (own.every(({ status }) => isFinished(status))) return (performance.now() - begun) / 1000;
  }
  throw new Error('The tasks did not end.');
}

/** CPU seconds of a process, and of its children that have ended. */
function cpuOf(pid: number): { own: number; ended: number } {
  const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = line
    .slice(line.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
  return { own: (user + system) / 100, ended: (endedUser + endedSystem) / 100 };
}

const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // The process has ended meanwhile.
    return '';
  }
};

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => textOf(`/proc/${name}/status`).includes(`\nPPid:\t${pid}\n`))
    .map(Number);
}

/** The first process of the PostgreSQL that listens on this port. */
function postmasterOf(url: string): number {
  const { port } = new URL(url);
  const found = readdirSync('/proc').find((name) => {
    const command = textOf(`/proc/${name}/cmdline`);
    return /^\S*\/postgres\0/.test(command) && command.includes(`\0-p\0${port}\0`);
  });
  return Number(found);
}

function postgresCpu(pid: number): number {
  const first = cpuOf(pid);
  const alive = childrenOf(pid).map((child) => cpuOf(child).own);
  return first.own + first.ended + alive.reduce((sum, own) => sum + own, 0);
}

const parts = ['web', 'runners', 'programs', 'PostgreSQL'] as const;
type Cpu = Record<(typeof parts)[number], number>;

interface Cluster {
  web: TestServer;
  runners: TestServer[];
  postmaster: number;
}

function cpuNow({ web, runners, postmaster }: Cluster): Cpu {
  const each = runners.map(({ child }) => cpuOf(child.pid ?? 0));
  return {
    web: cpuOf(web.child.pid ?? 0).own,
    runners: each.reduce((sum, { own }) => sum + own, 0),
    programs: each.reduce((sum, { ended }) => sum + ended, 0),
    PostgreSQL: postgresCpu(postmaster),
  };
}

/** The percentage of all cores that each process used in this time. */
function shares(before: Cpu, after: Cpu, seconds: number): string {
  const cores = cpus().length;
  return parts
    .map((part) => {
      const share = ((after[part] - before[part]) / seconds / cores) * 100;
      return `${part} ${share.toFixed(0)} %`;
    })
    .join(', ');
}

async function openCluster(runners: number, postgres: string): Promise<Cluster> {
  const env = {
    ...common,
    SIGNALBOX_DATABASE_URL: await createDatabase(
      postgres,
      `bench_${randomBytes(4).toString('hex')}`,
    ),
    SIGNALBOX_MASTER_KEY: randomBytes(32).toString('base64'),
  };
  const start = (role: string) => startServer({ env: { ...env, SIGNALBOX_ROLE: role } });
  const web = await start('web');
  const all = await Promise.all(Array.from({ length: runners }, () => start('runner')));
  return { web, runners: all, postmaster: postmasterOf(postgres) };
}

async function closeCluster({ web, runners }: Cluster): Promise<void> {
  for (const server of [...runners, web]) await server.stop();
}

async function measureWork(runners: number, postgres: string): Promise<void> {
  const cluster = await openCluster(runners, postgres);
  try {
    const bench = await makeProject(cluster.web);
    // The first tasks make the mirrors of the repository.
    await runAll(bench, 'instant', runners * 5);
    const work = async (name: Name, times: number) => {
      const before = cpuNow(cluster);
      const seconds = await runAll(bench, name, times);
      return { seconds, shares: shares(before, cpuNow(cluster), seconds) };
    };
    const tasks = await work('instant', count);
    const logs = await work('loud', loudTasks);
    const lines = (loudTasks * loudLines) / logs.seconds;
    console.log(`${runners} runner${runners > 1 ? 's' : ''}:`);
    console.log(
      `  ${((count / tasks.seconds) * 60).toFixed(0)} tasks started a minute (${tasks.shares})`,
    );
    console.log(`  ${lines.toFixed(0)} log lines stored a second (${logs.shares})`);
    const some = waitingTasks * runners;
    const waiting = await work('waiting', some);
    const ofWaiting = (some * waits * waitingLines) / waiting.seconds;
    console.log(
      `  of tasks that wait for ${waits} seconds, ten at once a runner: ${((some / waiting.seconds) * 60).toFixed(0)} a minute, ${ofWaiting.toFixed(0)} lines a second (${waiting.shares})`,
    );
  } finally {
    await closeCluster(cluster);
  }
}

/** Milliseconds from the request to the start of the program. */
async function launchOnce(bench: Bench): Promise<number> {
  const begun = performance.timeOrigin + performance.now();
  const task = await launch(bench, 'stamp');
  for (let tries = 0; tries < 600; tries += 1) {
    const { status } = await bench.call<Task>('GET', `${bench.project}/tasks/${task.id}`);
    if (isFinished(status)) break;
    await delay(50);
  }
  const last = readFileSync(starts, 'utf8').trim().split('\n').at(-1) ?? '';
  return Number(BigInt(last) / 1000n) / 1000 - begun;
}

const at = (values: number[], share: number): number =>
  values.toSorted((a, b) => a - b)[
    Math.min(values.length - 1, Math.floor(values.length * share))
  ] ?? NaN;

async function measureLaunch(postgres: string): Promise<void> {
  const alone = await startServer({ env: common });
  const cluster = await openCluster(1, postgres);
  try {
    const benches = { embedded: await makeProject(alone), across: await makeProject(cluster.web) };
    const took = { embedded: [] as number[], across: [] as number[] };
    for (const bench of Object.values(benches)) await launchOnce(bench);
    // The two take turns, so that both run under the same load of the machine.
    for (let round = 0; round < rounds; round += 1) {
      took.embedded.push(await launchOnce(benches.embedded));
      took.across.push(await launchOnce(benches.across));
    }
    console.log(`Launch to start of the program, ${rounds} rounds in turns:`);
    for (const [name, values] of Object.entries(took)) {
      console.log(
        `  ${name}: median ${at(values, 0.5).toFixed(0)} ms, p99 ${at(values, 0.99).toFixed(0)} ms`,
      );
    }
    const more = at(took.across, 0.5) - at(took.embedded, 0.5);
    const verdict = more < target ? 'met' : 'MISSED';
    console.log(
      `Target: across servers less than ${target} ms more: ${more.toFixed(0)} ms, ${verdict}`,
    );
  } finally {
    await closeCluster(cluster);
    await alone.stop();
  }
}

writeRepository();
const postgres = await startCluster();
try {
  console.log(`${cpus().length} cores, ${cpus()[0]?.model ?? ''}; shares are of all cores`);
  if (asked.only !== 'launch') {
    for (const runners of [1, 2, 3]) await measureWork(runners, postgres.url);
  }
  if (asked.only !== 'work') await measureLaunch(postgres.url);
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
