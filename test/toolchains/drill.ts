// Applies again and again while something happens to programs, runner, server or disk, and looks
// whether each object that exists is in the state. The state is not read: every round renames all
// objects, so an object that the state has lost stays behind in the world with an older name.

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Task } from '#shared/api/tasks.ts';
import { isFinished } from '#shared/task-status.ts';
import { connectApi, type ApiCall } from '../helpers/api-client.ts';
import { randomNumber } from '../helpers/random.ts';
import { startServer, type TestServer } from '../helpers/server.ts';
import { configuration, objectsEach } from './configuration.ts';
import type { Toolchains } from './programs.ts';

const run = promisify(execFile);

const diskMegabytes = 384;
const roundLimitMs = 120_000;

export const moments = [
  'nothing',
  'stop',
  'force stop',
  'kill the program',
  'kill the runner',
  'kill the server',
  'fill the disk',
] as const;
type Moment = (typeof moments)[number];

interface Template {
  app: 'terraform' | 'tofu';
  id: number;
  world: string;
}

/**
 * Whether the state cannot tell of an object, because the program was killed. OpenTofu writes its state at
 * the end of an apply and every twenty seconds, so KILL takes what it has made since then out of every
 * state. Terraform writes after each object, but a provider may make one after its Terraform is gone.
 */
async function isLostByProgram(
  { app, world }: Template,
  { moment, killed, object }: { moment: Moment; killed: number; object: string },
): Promise<boolean> {
  if (moment !== 'force stop' && moment !== 'kill the program') return false;
  if (app === 'tofu') return true;
  const { mtimeMs } = await stat(join(world, `${object}.json`));
  return mtimeMs >= killed - writeMs;
}

/** How long Terraform may need to write its state after a provider has made an object. */
const writeMs = 200;

/** Each count must be zero. */
interface Counts {
  objectsWithoutState: number;
  falseSuccesses: number;
  appliesThatFailedAfterwards: number;
  tasksStuck: number;
}

const noCounts: Counts = {
  objectsWithoutState: 0,
  falseSuccesses: 0,
  appliesThatFailedAfterwards: 0,
  tasksStuck: 0,
};

interface Result {
  counts: Counts;
  /** Objects of which no state tells because the program was killed. */
  lostByProgram: number;
  applies: number;
  /** How often each moment came, and how those applies ended. */
  ends: Map<string, number>;
  findings: string[];
}

type Note = (key: keyof Counts, count: number, text: string) => void;

class Drill {
  readonly #folder: string;
  readonly #dataDir: string;
  readonly #isSmallDisk: boolean;
  #server: TestServer;
  #call: ApiCall;
  #round = 0;
  templates: Template[] = [];

  private constructor(folder: string, isSmallDisk: boolean, server: TestServer, call: ApiCall) {
    this.#folder = folder;
    this.#dataDir = join(folder, 'data');
    this.#isSmallDisk = isSmallDisk;
    this.#server = server;
    this.#call = call;
  }

  static async start(toolchains: Toolchains): Promise<Drill> {
    const folder = await mkdtemp(join(tmpdir(), 'signalbox-toolchains-'));
    const dataDir = join(folder, 'data');
    await mkdir(dataDir);
    const isSmallDisk = process.getuid?.() === 0;
    if (isSmallDisk) {
      await run('mount', ['-t', 'tmpfs', '-o', `size=${diskMegabytes}m`, 'tmpfs', dataDir]);
    }
    const { server, call } = await startWith(dataDir);
    const drill = new Drill(folder, isSmallDisk, server, call);
    await drill.#setUp(toolchains);
    return drill;
  }

  async #setUp({ programs, cliConfig }: Toolchains): Promise<void> {
    const code = join(this.#folder, 'code');
    await mkdir(code);
    await writeFile(join(code, 'main.tf'), configuration);
    const git = (...args: string[]) =>
      run('git', ['-c', 'user.name=Drill', '-c', 'user.email=drill@example.com', ...args], {
        cwd: code,
      });
    await git('init', '--quiet', '--initial-branch=main');
    await git('add', '--all');
    await git('commit', '--quiet', '--message', 'Drill');
    const made = await this.#call<{ id: number }>('POST', '/api/projects', { name: 'Drill' });
    const project = `/api/project/${made.id}`;
    const [key] = await this.#call<{ id: number }[]>('GET', `${project}/keys`);
    const create = async (noun: string, body: object): Promise<number> =>
      (await this.#call<{ id: number }>('POST', `${project}/${noun}`, body)).id;
    const repository_id = await create('repositories', {
      name: 'Code',
      git_url: code,
      git_branch: 'main',
      ssh_key_id: key?.id,
    });
    for (const app of ['terraform', 'tofu'] as const) {
      await this.#call('PUT', `/api/apps/${app}`, { path: programs[app], active: true });
      const world = join(this.#folder, `world-${app}`);
      await mkdir(world);
      const environment_id = await create('environment', {
        name: app,
        json: JSON.stringify({ world }),
        env: JSON.stringify({ TF_CLI_CONFIG_FILE: cliConfig }),
      });
      const id = await create('templates', {
        name: app,
        app,
        playbook: '.',
        repository_id,
        environment_id,
        auto_approve: true,
        survey_vars: [{ name: 'round', title: 'Round', required: true }],
      });
      this.templates.push({ app, id, world });
    }
  }

  /** One apply with its moment, then an undisturbed one, after which the world must be as asked. */
  async apply(template: Template, moment: Moment, after: number, result: Result): Promise<void> {
    this.#round += 1;
    const name = `r${this.#round}`;
    const taskId = await this.#launch(template, name);
    await this.#untilCreating(template, taskId);
    await delay(after);
    const killed = await this.#disturb(moment, taskId);
    const end = await this.#untilFinished(taskId);
    const note: Note = (key, count, text) => {
      result.counts[key] += count;
      if (count > 0) result.findings.push(`${name} ${template.app}, ${moment}: ${text}`);
    };
    const told = `${moment}: ${end?.status ?? 'stuck'}`;
    result.ends.set(told, (result.ends.get(told) ?? 0) + 1);
    note('tasksStuck', end === null ? 1 : 0, `task ${taskId} did not end`);
    const made = (await objectsOf(template.world, name)).length;
    const isFalse = end?.status === 'success' && made !== objectsEach;
    note('falseSuccesses', isFalse ? 1 : 0, `success with ${made} objects`);
    await this.#settle(template, { name, moment, killed }, { result, note });
  }

  async #settle(
    template: Template,
    { name, moment, killed }: { name: string; moment: Moment; killed: number },
    { result, note }: { result: Result; note: Note },
  ): Promise<void> {
    const taskId = await this.#launch(template, `${name}z`);
    const end = await this.#untilFinished(taskId);
    const failed = end?.status !== 'success';
    note(
      'appliesThatFailedAfterwards',
      failed ? 1 : 0,
      failed ? await this.#lastLines(taskId) : '',
    );
    const left = (await objectsOf(template.world, '')).filter(
      (one) => !one.startsWith(`${name}z-`),
    );
    for (const object of left) {
      const isByProgram = await isLostByProgram(template, { moment, killed, object });
      if (isByProgram) result.lostByProgram += 1;
      else note('objectsWithoutState', 1, `lost ${object}`);
      await rm(join(template.world, `${object}.json`));
    }
  }

  async #launch(template: Template, round: string): Promise<number> {
    const body = { template_id: template.id, environment: JSON.stringify({ round }) };
    return (await this.#call<Task>('POST', '/api/project/1/tasks', body)).id;
  }

  /** Waits until the apply has begun to create, or the task has ended. */
  async #untilCreating({ world }: Template, taskId: number): Promise<void> {
    const before = (await readdir(world)).length;
    const end = Date.now() + roundLimitMs;
    while (Date.now() < end) {
      const log = await this.#log(taskId);
      if (log.some((line) => line.includes('Creating...'))) return;
      if ((await readdir(world)).length > before) return;
      const task = await this.#call<Task>('GET', `/api/project/1/tasks/${taskId}`);
      if (isFinished(task.status)) return;
      await delay(100);
    }
  }

  /** Returns when it happened, in milliseconds. */
  async #disturb(moment: Moment, taskId: number): Promise<number> {
    const stop = (force: boolean) =>
      this.#call('POST', `/api/project/1/tasks/${taskId}/stop`, { force }).catch(() => undefined);
    if (moment === 'kill the program') return this.#killProgram(taskId);
    const time = Date.now();
    if (moment === 'stop') await stop(false);
    if (moment === 'force stop') await stop(true);
    if (moment === 'kill the runner') await this.#killRunner();
    if (moment === 'kill the server') await this.#killServer();
    if (moment === 'fill the disk' && this.#isSmallDisk) await this.#fillDisk();
    return time;
  }

  async #killProgram(taskId: number): Promise<number> {
    let time = Date.now();
    const runs = join(this.#dataDir, 'runs');
    for (const name of await readdir(runs, { recursive: true }).catch(() => [])) {
      const isOfTask = name.split('/').some((part) => part.startsWith(`${taskId}-`));
      if (!isOfTask || !name.endsWith('/child')) continue;
      const identity = await readFile(join(runs, name), 'utf8').catch(() => '');
      time = Date.now();
      kill(Number(identity.split(' ')[0]));
    }
    return time;
  }

  async #killRunner(): Promise<void> {
    const identity = await readFile(join(this.#dataDir, 'runner.pid'), 'utf8').catch(() => '');
    kill(Number(identity.split(' ')[0]));
  }

  async #killServer(): Promise<void> {
    await this.#server.end('SIGKILL');
    const { server, call } = await startWith(this.#dataDir);
    this.#server = server;
    this.#call = call;
  }

  /** The disk of the data folder is full for three seconds. */
  async #fillDisk(): Promise<void> {
    const { bavail, bsize } = await statfs(this.#dataDir);
    const ballast = join(this.#dataDir, 'ballast');
    await writeFile(ballast, Buffer.alloc(bavail * bsize + 1)).catch(() => undefined);
    await delay(3000);
    await rm(ballast);
  }

  /** The task when it has ended; null if it has not ended in time. */
  async #untilFinished(taskId: number): Promise<Task | null> {
    const end = Date.now() + roundLimitMs;
    while (Date.now() < end) {
      const path = `/api/project/1/tasks/${taskId}`;
      const task = await this.#call<Task>('GET', path).catch(() => null);
      if (task && isFinished(task.status)) return task;
      await delay(100);
    }
    return null;
  }

  async #log(taskId: number): Promise<string[]> {
    const path = `/api/project/1/tasks/${taskId}/output`;
    const log = await this.#call<{ output: string }[]>('GET', path).catch(() => []);
    return log.map(({ output }) => output);
  }

  async #lastLines(taskId: number): Promise<string> {
    return `task ${taskId}:\n${(await this.#log(taskId)).slice(-12).join('\n')}`;
  }

  async tearDown(): Promise<void> {
    await this.#server.end('SIGTERM');
    if (this.#isSmallDisk) await run('umount', ['--lazy', this.#dataDir]);
    await rm(this.#folder, { recursive: true, force: true });
  }
}

async function startWith(dataDir: string): Promise<{ server: TestServer; call: ApiCall }> {
  const env = { SIGNALBOX_LOCAL_REPOSITORIES: '/', SIGNALBOX_LEAST_DISK_BYTES: '0' };
  const server = await startServer({ dataDir, env });
  return { server, call: await connectApi(server) };
}

function kill(pid: number): void {
  try {
    if (pid > 0) process.kill(pid, 'SIGKILL');
  } catch (error) {
    // The program has just ended by itself.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The names of the objects of a round; those of all rounds for an empty name. */
async function objectsOf(world: string, round: string): Promise<string[]> {
  const prefix = round === '' ? '' : `${round}-`;
  const names = await readdir(world);
  return names.flatMap((name) =>
    name.endsWith('.json') && name.startsWith(prefix) ? [name.slice(0, -5)] : [],
  );
}

/** Half of the applies are of each program; each moment comes equally often. */
export async function runDrill(
  toolchains: Toolchains,
  applies: number,
  seed: number,
  tell: (text: string) => void = () => undefined,
): Promise<Result> {
  const random = randomNumber(seed);
  const drill = await Drill.start(toolchains);
  const counts = { ...noCounts };
  const result: Result = { counts, lostByProgram: 0, applies: 0, ends: new Map(), findings: [] };
  try {
    while (result.applies < applies) {
      const template = drill.templates[result.applies % drill.templates.length];
      const moment = moments[Math.floor(result.applies / 2) % moments.length];
      if (!template || !moment) break;
      await drill.apply(template, moment, random() * 2000, result);
      result.applies += 1;
      tell(`${result.applies} of ${applies}: ${template.app}, ${moment}`);
    }
    return result;
  } finally {
    await drill.tearDown();
  }
}
