// Kills the server with -9 again and again while tasks run, and counts what went wrong.

import { execFile } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Task } from '#shared/api/tasks.ts';
import { isFinished } from '#shared/task-status.ts';
import { connectApi, type ApiCall } from './api-client.ts';
import { startServer, type TestServer } from './server.ts';

const run = promisify(execFile);

/** What must be zero. */
export interface DrillCounts {
  tasksLost: number;
  tasksStuck: number;
  tasksRunTwice: number;
  linesLostOrDoubled: number;
  orphanProcesses: number;
  leftoverFolders: number;
}

export interface DrillResult {
  counts: DrillCounts;
  kills: number;
  tasks: number;
  /** What was found, for whoever has to understand it. */
  findings: string[];
}

const inFlight = 10;
const linesEach = 150;

// Says that it runs, once for each run, then prints numbered lines for two seconds.
const playbook = `for argument; do case $argument in --extra-vars=@*) file=\${argument#*@} ;; esac; done
number=$(sed -n 's/^"number": //p' "$file")
echo "$number" >> "$DRILL_RUNS"
i=0
while [ $i -lt ${linesEach} ]; do i=$((i + 1)); echo "line $i"; sleep 0.01; done
`;

interface Drill {
  folder: string;
  runs: string;
  server: TestServer;
  call: ApiCall;
  templateId: number;
  /** The tasks whose launch the server has confirmed, by the number that each was given. */
  launched: Map<number, number>;
  next: number;
}

async function start(folder: string): Promise<{ server: TestServer; call: ApiCall }> {
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

async function setUp(): Promise<Drill> {
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

async function fillUp(drill: Drill): Promise<void> {
  const all = await drill.call<Task[]>('GET', '/api/project/1/tasks');
  const open = all.filter(({ status }) => !isFinished(status)).length;
  for (let count = open; count < inFlight; count += 1) await launchOne(drill);
}

/** One kill at a random moment, while tasks are launched; then the server comes back. */
async function killOnce(drill: Drill): Promise<void> {
  const filling = fillUp(drill).catch(() => undefined);
  await delay(Math.random() * 700);
  await drill.server.end('SIGKILL');
  await filling;
  Object.assign(drill, await start(drill.folder));
}

async function untilAllFinished(drill: Drill): Promise<Task[]> {
  const end = Date.now() + 60_000;
  for (;;) {
    const all = await drill.call<Task[]>('GET', '/api/project/1/tasks');
    if (Date.now() > end || all.every(({ status }) => isFinished(status))) return all;
    await delay(100);
  }
}

async function judgeTasks(drill: Drill, findings: string[]): Promise<Partial<DrillCounts>> {
  const all = await untilAllFinished(drill);
  const byId = new Map(all.map((task) => [task.id, task]));
  const runs = (await readFile(drill.runs, 'utf8')).trim().split('\n');
  const note = (count: number, text: string): number => {
    if (count > 0) findings.push(text);
    return count;
  };
  const counts = { tasksLost: 0, tasksStuck: 0, tasksRunTwice: 0, linesLostOrDoubled: 0 };
  for (const [number, id] of drill.launched) {
    const task = byId.get(id);
    const status = task?.status ?? 'missing';
    const isStuck = task !== undefined && !isFinished(task.status);
    counts.tasksStuck += note(isStuck ? 1 : 0, `task ${id} is ${status}`);
    const isLost = !isStuck && status !== 'success';
    counts.tasksLost += note(isLost ? 1 : 0, `task ${id} ended as ${status}`);
    if (isLost) findings.push(await lastLines(drill, id));
    const times = runs.filter((entry) => entry === String(number)).length;
    counts.tasksRunTwice += note(times > 1 ? 1 : 0, `task ${id} ran ${times} times`);
    const wrong = await wrongLines(drill, id);
    counts.linesLostOrDoubled += note(wrong, `task ${id} has ${wrong} lines lost or doubled`);
  }
  return counts;
}

async function wrongLines(drill: Drill, taskId: number): Promise<number> {
  const path = `/api/project/1/tasks/${taskId}/output`;
  const log = await drill.call<{ output: string }[]>('GET', path);
  const lines = log.map(({ output }) => output).filter((line) => line.startsWith('line '));
  const expected = Array.from({ length: linesEach }, (_, index) => `line ${index + 1}`);
  const missing = expected.filter((line) => !lines.includes(line)).length;
  const doubled = lines.length - new Set(lines).size;
  const isInOrder = lines.every((line, index) => line === expected[index]);
  return missing + doubled || (isInOrder ? 0 : 1);
}

async function lastLines(drill: Drill, taskId: number): Promise<string> {
  const path = `/api/project/1/tasks/${taskId}/output`;
  const log = await drill.call<{ output: string }[]>('GET', path);
  return log
    .slice(-8)
    .map(({ output }) => `    ${output}`)
    .join('\n');
}

/** Processes that carry the mark of a run, other than what this machine had before. */
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

/** Where runs keep their secrets while they run. */
async function secretFolders(): Promise<string[]> {
  const names = await readdir('/dev/shm').catch(() => []);
  return names.filter((name) => name.startsWith('sbx-'));
}

export async function runCrashDrill(
  rounds: number,
  tell: (text: string) => void = () => undefined,
): Promise<DrillResult> {
  const before = await secretFolders();
  const drill = await setUp();
  const findings: string[] = [];
  try {
    for (let round = 1; round <= rounds; round += 1) {
      await killOnce(drill);
      tell(`kill ${round} of ${rounds}, ${drill.launched.size} tasks launched`);
    }
    const counts = await judgeTasks(drill, findings);
    await drill.server.end('SIGTERM');
    const orphans = await markedProcesses();
    const runs = await readdir(join(drill.folder, 'data', 'runs')).catch(() => []);
    const secrets = (await secretFolders()).filter((name) => !before.includes(name));
    const folders = [...runs, ...secrets];
    if (orphans.length > 0) findings.push(`processes ${orphans.join(', ')}`);
    if (folders.length > 0) findings.push(`folders ${folders.join(', ')}`);
    return {
      counts: {
        ...(counts as DrillCounts),
        orphanProcesses: orphans.length,
        leftoverFolders: folders.length,
      },
      kills: rounds,
      tasks: drill.launched.size,
      findings,
    };
  } finally {
    await drill.server.end('SIGKILL');
    await rm(drill.folder, { recursive: true, force: true });
  }
}
