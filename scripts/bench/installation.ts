// A built server of a checkout on an empty data folder, with a project whose repository is on the same
// machine.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Task, TaskCount } from '#shared/api/tasks.ts';
import type { Template } from '#shared/api/templates.ts';
import { isFinished } from '#shared/task-status.ts';
import { type ApiCall, type Cookie, signedIn } from '../../test/helpers/api-client.ts';
import { timed } from './measure.ts';

export const root = join(import.meta.dirname, '../..');
const password = 'a password for measurements';
const longestStartMs = 60_000;
export const longestTaskMs = 600_000;

/** A process that has printed that it is ready. */
export interface Started {
  child: ChildProcess;
  pid: number;
  address: string;
  /** The milliseconds from the start until it was ready. */
  readyMs: number;
  end: () => Promise<void>;
}

/** Starts a program that prints `is ready: <address>`. */
export function startProgram(command: string[], env: Record<string, string>): Promise<Started> {
  const [program = '', ...args] = command;
  const begun = performance.now();
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(program, args, {
    cwd: root,
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const end = (): Promise<void> => {
    child.kill('SIGTERM');
    return ended;
  };
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`Not ready in time: ${command.join(' ')}`));
    }, longestStartMs);
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      const address = /is ready: (http:\S+)/.exec(printed)?.[1];
      if (address === undefined || child.pid === undefined) return;
      clearTimeout(limit);
      resolve({ child, pid: child.pid, address, readyMs: performance.now() - begun, end });
    });
    void ended.then(() => reject(new Error(`Ended: ${command.join(' ')}\n${printed}`)));
  });
}

export interface Installation {
  server: Started;
  call: ApiCall;
  cookie: string;
  /** The same session for a browser. */
  cookies: Cookie[];
  /** A folder that is removed at the end, for what a benchmark writes. */
  folder: string;
  dataDir: string;
  end: () => Promise<void>;
}

/** Starts the server of a checkout. `fill` writes into the database before. */
export async function install(
  checkout: string,
  {
    env = {},
    fill,
  }: { env?: Record<string, string>; fill?: (dataDir: string) => Promise<unknown> } = {},
): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-bench-'));
  const dataDir = join(folder, 'data');
  await mkdir(dataDir);
  if (fill) {
    // The first start creates the tables and the administrator.
    await (await startServer(checkout, dataDir, env)).end();
    await fill(dataDir);
  }
  const server = await startServer(checkout, dataDir, env);
  const { call, cookies } = await signedIn({ address: server.address, password });
  return {
    server,
    call,
    cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
    cookies,
    folder,
    dataDir,
    async end() {
      await server.end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export const startServer = (
  checkout: string,
  dataDir: string,
  env: Record<string, string> = {},
): Promise<Started> =>
  startProgram([join(checkout, 'bin/signalbox')], {
    SIGNALBOX_DATA_DIR: dataDir,
    SIGNALBOX_PORT: '0',
    SIGNALBOX_ADMIN_PASSWORD: password,
    SIGNALBOX_LOCAL_REPOSITORIES: '/',
    ...env,
  });

export interface Project {
  id: number;
  /** The address of the project in the API. */
  path: string;
  /** The working tree of its repository. */
  code: string;
  /** The ids of its templates, by their files. */
  templates: Record<string, number>;
}

/** Makes a project with a template for each file: playbooks end with `.yml`, scripts with `.sh`. */
export async function addProject(
  { call, folder }: Pick<Installation, 'call' | 'folder'>,
  files: Record<string, string>,
): Promise<Project> {
  const code = await writeRepository(folder, files);
  const { id } = await call<{ id: number }>('POST', '/api/projects', { name: 'Bench' });
  const path = `/api/project/${id}`;
  const make = async (noun: string, body: object): Promise<number> =>
    (await call<{ id: number }>('POST', `${path}/${noun}`, body)).id;
  const key = await make('keys', { name: 'Nothing', type: 'none' });
  const repository_id = await make('repositories', {
    name: 'Code',
    git_url: code,
    git_branch: 'main',
    ssh_key_id: key,
  });
  const inventory = 'localhost ansible_connection=local';
  const hosts = { name: 'Hosts', type: 'static', inventory, ssh_key_id: key };
  const inventory_id = await make('inventory', hosts);
  const environment_id = await make('environment', { name: 'Nothing' });
  const templates: Record<string, number> = {};
  for (const file of Object.keys(files)) {
    const body = {
      name: file,
      playbook: file,
      repository_id,
      allow_parallel_tasks: true,
      ...(file.endsWith('.sh') ? { app: 'bash' } : { inventory_id, environment_id }),
    };
    templates[file] = (await call<Template>('POST', `${path}/templates`, body)).id;
  }
  return { id, path, code, templates };
}

/** Copies the template of a file until the project has `count` templates. */
export async function addTemplates(
  call: ApiCall,
  { path, templates }: Pick<Project, 'path' | 'templates'>,
  file: string,
  count: number,
): Promise<void> {
  const first = await call<object>('GET', `${path}/templates/${templates[file]}`);
  for (let number = Object.keys(templates).length + 1; number <= count; number += 1) {
    await call('POST', `${path}/templates`, { ...first, name: `Template ${number}` });
  }
}

async function writeRepository(folder: string, files: Record<string, string>): Promise<string> {
  const code = join(folder, 'code');
  await mkdir(code);
  for (const [name, text] of Object.entries(files)) await writeFile(join(code, name), text);
  const git = (...args: string[]): void => {
    const who = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com'];
    execFileSync('git', [...who, ...args], { cwd: code });
  };
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Bench');
  return code;
}

export const launch = (call: ApiCall, { path, templates }: Project, file: string): Promise<Task> =>
  call<Task>('POST', `${path}/tasks`, { template_id: templates[file] });

/** Waits for the end of a task; throws unless it succeeded. */
export async function untilEnd(
  call: ApiCall,
  { path }: Pick<Project, 'path'>,
  id: number,
): Promise<Task> {
  const limit = performance.now() + longestTaskMs;
  while (performance.now() < limit) {
    const task = await call<Task>('GET', `${path}/tasks/${id}`);
    if (isFinished(task.status)) return succeeded(task);
    await sleep(10);
  }
  throw new Error(`Task ${id} did not end.`);
}

/** Waits until no task of the project is unfinished; returns the newest `count`. */
export async function untilAllEnded(
  call: ApiCall,
  { path }: Project,
  count: number,
): Promise<Task[]> {
  const limit = performance.now() + longestTaskMs;
  while (performance.now() < limit) {
    // Listing all of them would take processor time from the tasks.
    const left = await call<TaskCount>('GET', `${path}/tasks/count?state=unfinished`);
    if (left.count === 0) {
      const tasks = await call<Task[]>('GET', `${path}/tasks/last?limit=${count}`);
      return tasks.map(succeeded);
    }
    await sleep(50);
  }
  throw new Error('The tasks did not end.');
}

export function succeeded(task: Task): Task {
  if (task.status !== 'success') throw new Error(`Task ${task.id} ended as ${task.status}.`);
  return task;
}

/** The time in milliseconds, with fractions. */
export const now = (): number => performance.timeOrigin + performance.now();

/** The time in a file that `date +%s%N` has written, in milliseconds. */
export const noted = async (note: string): Promise<number> =>
  Number(BigInt((await readFile(note, 'utf8')).trim()) / 1000n) / 1000;

/** The resident memory of a process, in MB. */
export async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return (Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) * 1024) / 1e6;
}

/** The share of a core that a process uses during `work`, in percent. */
export async function shareOfCore(pid: number, work: () => Promise<unknown>): Promise<number> {
  const before = await processorTimeOf(pid);
  const ms = await timed(work);
  return (((await processorTimeOf(pid)) - before) / ms) * 100;
}

/** The processor time of a process so far, in milliseconds. */
async function processorTimeOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // Linux counts in hundredths of a second here.
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** The process id of the runner that a server started. */
export async function runnerOf(server: Started): Promise<number> {
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    if (parent === server.pid) return Number(name);
  }
  throw new Error('The server has no runner.');
}
