// `npm run bench:queue [-- TASKS]`: measures how fast a full queue drains: 500 waiting tasks of 50
// templates in 5 projects, with programs that end at once. For comparison, the same run starts the
// same program as often, and as many at once, under the bare supervisor: without a queue, a
// checkout, keys, files, a log or a database.

import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Task } from '#shared/api/tasks.ts';
import { isFinished } from '#shared/task-status.ts';
import { attach, superviseCommand } from '../src/runner/supervisor/supervisor.ts';
import { connectApi, type ApiCall } from '../test/helpers/api-client.ts';
import { startServer } from '../test/helpers/server.ts';

const count = Number(process.argv[2] ?? 500);
const projects = 5;
const templatesEach = 10;
const atOnce = 10;
const target = 600;
const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
const bin = join(folder, 'bin');
const path = `${bin}${delimiter}${process.env['PATH']}`;

/** Takes the place of Ansible: a program that ends at once, or when the file of the gate exists. */
function writeProgram(): void {
  mkdirSync(bin);
  const program = join(bin, 'ansible-playbook');
  const wait = `case "$*" in *gate.yml*) while [ ! -e '${folder}/open' ]; do sleep 0.05; done ;; esac`;
  writeFileSync(program, `#!/bin/sh\n${wait}\n`);
  chmodSync(program, 0o755);
}

function writeRepository(): string {
  const code = join(folder, 'code');
  mkdirSync(code);
  for (const name of ['play.yml', 'gate.yml']) writeFileSync(join(code, name), '[]\n');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com', ...args], {
      cwd: code,
    });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Bench');
  return code;
}

interface Launch {
  project: string;
  template_id: number;
}

/** Adds a project; answers its template that waits for the gate, and its other templates. */
async function addProject(call: ApiCall, code: string): Promise<[gate: Launch, ...Launch[]]> {
  const { id } = await call<{ id: number }>('POST', '/api/projects', { name: 'Bench' });
  const project = `/api/project/${id}`;
  const [key] = await call<{ id: number }[]>('GET', `${project}/keys`);
  const ssh_key_id = key?.id;
  const create = async (noun: string, body: object): Promise<number> =>
    (await call<{ id: number }>('POST', `${project}/${noun}`, body)).id;
  const parts = {
    repository_id: await create('repositories', {
      name: 'Code',
      git_url: code,
      git_branch: 'main',
      ssh_key_id,
    }),
    inventory_id: await create('inventory', { name: 'Hosts', type: 'static', ssh_key_id }),
    environment_id: await create('environment', { name: 'Variables' }),
  };
  const add = async (name: string, playbook: string): Promise<Launch> => ({
    project,
    template_id: await create('templates', { name, playbook, ...parts }),
  });
  const list: [Launch, ...Launch[]] = [await add('Gate', 'gate.yml')];
  for (let number = 1; number <= templatesEach; number += 1) {
    list.push(await add(`Template ${number}`, 'play.yml'));
  }
  return list;
}

/** One task holds the only slot while the others are launched behind it. */
async function fillQueue(dataDir: string): Promise<string[]> {
  const server = await startServer({ dataDir, env: { ...env, SIGNALBOX_MAX_PARALLEL_TASKS: '1' } });
  const call = await connectApi(server);
  const code = writeRepository();
  const launches: Launch[] = [];
  const gates: Launch[] = [];
  for (let number = 0; number < projects; number += 1) {
    const [gate, ...others] = await addProject(call, code);
    gates.push(gate);
    launches.push(...others);
  }
  const launch = ({ project, template_id }: Launch) =>
    call<Task>('POST', `${project}/tasks`, { template_id });
  if (gates[0]) await launch(gates[0]);
  for (let number = 0; number < count; number += 1) {
    const next = launches[number % launches.length];
    if (next) await launch(next);
  }
  await server.end('SIGTERM');
  return gates.map(({ project }) => project);
}

const env = { PATH: path, SIGNALBOX_LOCAL_REPOSITORIES: '/' };

/** The seconds from the first start to the last end. */
async function drain(dataDir: string, list: string[]): Promise<number> {
  writeFileSync(join(folder, 'open'), '');
  const server = await startServer({
    dataDir,
    env: { ...env, SIGNALBOX_MAX_PARALLEL_TASKS: String(atOnce) },
  });
  try {
    const call = await connectApi(server);
    for (;;) {
      await delay(500);
      const left = list.map((project) => call<Task[]>('GET', `${project}/tasks/last?limit=1000`));
      const all = (await Promise.all(left)).flat().filter(({ tpl_alias: name }) => name !== 'Gate');
      if (!all.every(({ status }) => isFinished(status))) continue;
      const failed = all.find(({ status }) => status !== 'success');
      if (failed) throw new Error(`Task ${failed.id} ended as ${failed.status}`);
      const times = (name: 'start' | 'end') => all.map((task) => Date.parse(task[name] ?? ''));
      return (Math.max(...times('end')) - Math.min(...times('start'))) / 1000;
    }
  } finally {
    await server.end('SIGTERM');
  }
}

// These programs have no secrets to write.
const writeSecret = (name: string): Promise<string> => Promise.resolve(name);

/**
 * The seconds that the bare supervisor takes for the same program, as often and as many at once.
 */
async function runBare(): Promise<number> {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      const dir = mkdtempSync(join(folder, 'run-'));
      const mark = `bench-${next}`;
      await superviseCommand(
        dir,
        { mark, user: null, writeSecret },
        {
          command: 'ansible-playbook',
          args: ['play.yml'],
          cwd: dir,
          env: { PATH: path },
        },
      );
      const detach = new AbortController().signal;
      const onLines = () => Promise.resolve();
      await attach({ folder: dir, mark, from: 0, onLines, onPartial: () => undefined, detach })
        .result;
      rmSync(dir, { recursive: true });
    }
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: atOnce }, work));
  return (performance.now() - begun) / 1000;
}

writeProgram();
try {
  const dataDir = join(folder, 'data');
  const list = await fillQueue(dataDir);
  const bare = await runBare();
  const seconds = await drain(dataDir, list);
  const perMinute = (time: number): string => ((count / time) * 60).toFixed(0);
  console.log(
    `${count} waiting tasks of ${projects * templatesEach} templates, ${atOnce} at once:`,
  );
  console.log(`  drained in ${seconds.toFixed(1)} s, ${perMinute(seconds)} starts a minute`);
  console.log(`  the bare supervisor: ${bare.toFixed(1)} s, ${perMinute(bare)} starts a minute`);
  console.log(
    `  queue, checkout, files and log take ${(seconds / bare).toFixed(1)} times as long.`,
  );
  const isMet = (count / seconds) * 60 >= target;
  console.log(`Target: ${target} starts a minute or more: ${isMet ? 'met' : 'MISSED'}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
