// The common parts of the drills: a server under load, and a search for what is left afterwards.

import { execFile } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Task } from '#shared/api/tasks.ts';
import { isFinished } from '#shared/task-status.ts';
import { connectApi, type ApiCall } from './api-client.ts';
import { startServer, type TestServer } from './server.ts';

const run = promisify(execFile);

const inFlight = 10;
export const linesEach = 150;

// The playbook says once for each run that it runs, then prints numbered lines for two seconds.
const playbook = `for argument; do case $argument in --extra-vars=@*) file=\${argument#*@} ;; esac; done
number=$(sed -n 's/^"number": //p' "$file")
echo "$number" >> "$DRILL_RUNS"
i=0
while [ $i -lt ${linesEach} ]; do i=$((i + 1)); echo "line $i"; sleep 0.01; done
`;

export interface Drill {
  folder: string;
  runs: string;
  server: TestServer;
  call: ApiCall;
  templateId: number;
  /** The tasks whose launch the server has confirmed, by the number of the launch. */
  launched: Map<number, number>;
  next: number;
}

export async function start(folder: string): Promise<{ server: TestServer; call: ApiCall }> {
  const server = await startServer({
    dataDir: join(folder, 'data'),
    env: {
      PATH: `${resolve('test/fixtures/bin')}:${process.env['PATH']}`,
      SIGNALBOX_LOCAL_REPOSITORIES: '/',
      SIGNALBOX_MAX_PARALLEL_TASKS: String(inFlight),
    },
  });
  return { server, call: await connectApi(server) };
}

export async function setUp(): Promise<Drill> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-drill-'));
  const code = join(folder, 'code');
  const runs = join(folder, 'runs.txt');
  await mkdir(code);
  await writeFile(join(code, 'play.yml'), playbook);
  await appendFile(runs, '');
  const git = (...args: string[]) =>
    run('git', ['-c', 'user.name=Drill', '-c', 'user.email=drill@example.com', ...args], {
      cwd: code,
    });
  await git('init', '--quiet', '--initial-branch=main');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'Drill');
  const { server, call } = await start(folder);
  const { id } = await call<{ id: number }>('POST', '/api/projects', { name: 'Drill' });
  const project = `/api/project/${id}`;
  const [key] = await call<{ id: number }[]>('GET', `${project}/keys`);
  const ssh_key_id = key?.id;
  const create = async (noun: string, body: object): Promise<number> =>
    (await call<{ id: number }>('POST', `${project}/${noun}`, body)).id;
  const templateId = await create('templates', {
    name: 'Drill',
    playbook: 'play.yml',
    allow_parallel_tasks: true,
    survey_vars: [{ name: 'number', title: 'Number', type: 'int', required: true }],
    repository_id: await create('repositories', {
      name: 'Code',
      git_url: code,
      git_branch: 'main',
      ssh_key_id,
    }),
    inventory_id: await create('inventory', { name: 'Hosts', type: 'static', ssh_key_id }),
    environment_id: await create('environment', {
      name: 'Variables',
      env: JSON.stringify({ DRILL_RUNS: runs }),
    }),
  });
  return { folder, runs, server, call, templateId, launched: new Map(), next: 1 };
}

async function launchOne(drill: Drill): Promise<void> {
  const number = drill.next;
  drill.next += 1;
  const body = { template_id: drill.templateId, environment: JSON.stringify({ number }) };
  const task = await drill.call<Task>('POST', '/api/project/1/tasks', body);
  drill.launched.set(number, task.id);
}

/** Launches until ten tasks are unfinished. */
export async function fillUp(drill: Drill): Promise<void> {
  const all = await drill.call<Task[]>('GET', '/api/project/1/tasks');
  const open = all.filter(({ status }) => !isFinished(status)).length;
  for (let count = open; count < inFlight; count += 1) await launchOne(drill);
}

/** All tasks, when they have finished or after a minute. */
export async function untilAllFinished(drill: Drill): Promise<Task[]> {
  const end = Date.now() + 60_000;
  for (;;) {
    const all = await drill.call<Task[]>('GET', '/api/project/1/tasks');
    if (Date.now() > end || all.every(({ status }) => isFinished(status))) return all;
    await delay(100);
  }
}

/** The numbered lines in the log of a task. */
export async function countedLines(drill: Drill, taskId: number): Promise<string[]> {
  const path = `/api/project/1/tasks/${taskId}/output`;
  const log = await drill.call<{ output: string }[]>('GET', path);
  return log.map(({ output }) => output).filter((line) => line.startsWith('line '));
}

export async function lastLines(drill: Drill, taskId: number): Promise<string> {
  const path = `/api/project/1/tasks/${taskId}/output`;
  const log = await drill.call<{ output: string }[]>('GET', path);
  return log
    .slice(-8)
    .map(({ output }) => `    ${output}`)
    .join('\n');
}

/** The processes that have the mark of a run; other drills name their file of runs differently. */
async function markedProcesses(): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const marked = await Promise.all(
    pids.map(async (pid) => {
      const text = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
      return /SIGNALBOX_RUN=.*(?:\0|$)/.test(text) && text.includes('DRILL_RUNS=');
    }),
  );
  return pids.filter((_, index) => marked[index]).map(Number);
}

/** The folders in which runs keep their secrets while they run. */
export async function secretFolders(): Promise<string[]> {
  const names = await readdir('/dev/shm').catch(() => []);
  return names.filter((name) => name.startsWith('sbx-'));
}

/** New folders of secrets that stay: those of other servers on this machine come and go. */
async function lastingFolders(before: string[]): Promise<string[]> {
  let left = (await secretFolders()).filter((name) => !before.includes(name));
  const end = Date.now() + 30_000;
  while (left.length > 0 && Date.now() < end) {
    await delay(500);
    const now = await secretFolders();
    left = left.filter((name) => now.includes(name));
  }
  return left;
}

/** Everything that is left when nothing runs any more. */
export async function findLeft(
  drill: Drill,
  before: string[],
  findings: string[],
): Promise<{ orphanProcesses: number; leftoverFolders: number }> {
  const orphans = await markedProcesses();
  const runs = await readdir(join(drill.folder, 'data', 'runs')).catch(() => []);
  const secrets = await lastingFolders(before);
  const folders = [...runs, ...secrets];
  if (orphans.length > 0) findings.push(`processes ${orphans.join(', ')}`);
  if (folders.length > 0) findings.push(`folders ${folders.join(', ')}`);
  return { orphanProcesses: orphans.length, leftoverFolders: folders.length };
}
