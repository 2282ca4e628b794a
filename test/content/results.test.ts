// Slow: a playbook with all cases runs twice with each strategy, on a server that is killed.
// Only on SQLite: Ansible and the runner are compared, and the stores of results are tested on both engines.
// The results of a run are those that Ansible tells of the same run by hand, host by host and task by
// task, also when server and runner are killed in the middle.

import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { PlayTask, RunHost, RunResult, RunResults } from '#shared/api/run-results.ts';
import { hostResult, type Task } from '#shared/api/tasks.ts';
import { isFinished } from '#shared/task-status.ts';
import { connectApi, type ApiCall } from '../helpers/api-client.ts';
import { realPrograms } from '../helpers/programs.ts';
import { folder, gitRepository } from '../helpers/seed.ts';
import { startServer, type TestServer } from '../helpers/server.ts';
import { until } from '../helpers/until.ts';
import { filesOf, inventory, recorder, type Outcome } from './all-cases.ts';
import { runByHand } from './by-hand.ts';

const longestRunSeconds = 400;

/** The outcomes in an order that does not depend on the run. */
const sorted = (all: Outcome[]): string[] =>
  all.map(({ task, host, state }) => `${task} / ${host}: ${state}`).toSorted();

async function byHand(strategy: string) {
  const place = await folder();
  const outcomes = join(place, 'outcomes');
  await writeFile(join(place, 'recorder.py'), recorder);
  // Nothing has to wait here.
  for (const gate of ['first', 'second']) await writeFile(join(place, gate), '');
  const { hosts } = await runByHand({
    path: realPrograms,
    repository: await gitRepository(filesOf(strategy, place)),
    workingFolder: '.',
    playbook: 'play.yml',
    inventory: { text: inventory },
    env: { ANSIBLE_CALLBACK_PLUGINS: place, OUTCOMES: outcomes },
    galaxy: [],
  });
  const lines = (await readFile(outcomes, 'utf8')).trim().split('\n');
  return { hosts, outcomes: lines.map((line) => JSON.parse(line) as Outcome) };
}

interface ContentServer {
  server: TestServer;
  call: ApiCall;
}

async function startIn(dataDir?: string): Promise<ContentServer> {
  const env = { PATH: realPrograms, SIGNALBOX_LOCAL_REPOSITORIES: '/' };
  const server = await startServer({ env, ...(dataDir !== undefined && { dataDir }) });
  return { server, call: await connectApi(server) };
}

/** Kills server and runner at once, and starts them again. */
async function killBoth({ server }: ContentServer): Promise<ContentServer> {
  const note = await readFile(join(server.dataDir, 'runner.pid'), 'utf8').catch(() => '');
  const pid = Number(note.split(' ')[0]);
  const ended = server.end('SIGKILL');
  if (pid > 0) process.kill(pid, 'SIGKILL');
  await ended;
  return startIn(server.dataDir);
}

async function launch(call: ApiCall, repository: string): Promise<number> {
  const { id } = await call<{ id: number }>('POST', '/api/projects', { name: 'Results' });
  const project = `/api/project/${id}`;
  const [key] = await call<{ id: number }[]>('GET', `${project}/keys`);
  const create = async (noun: string, body: object): Promise<number> =>
    (await call<{ id: number }>('POST', `${project}/${noun}`, { ssh_key_id: key?.id, ...body })).id;
  const template = await call<{ id: number }>('POST', `${project}/templates`, {
    name: 'Results',
    environment_id: null,
    playbook: 'play.yml',
    repository_id: await create('repositories', {
      name: 'Code',
      git_url: repository,
      git_branch: 'main',
    }),
    inventory_id: await create('inventory', { name: 'Hosts', type: 'static', inventory }),
  });
  const body = { template_id: template.id };
  return (await call<Task>('POST', `${project}/tasks`, body)).id;
}

interface ReportedRun {
  outcomes: Outcome[];
  hosts: RunHost[];
  results: RunResult[];
}

/** Reads the results of each task of Ansible, and all of them at once. */
async function read(call: ApiCall, taskId: number): Promise<ReportedRun> {
  const path = `/api/project/1/tasks/${taskId}`;
  const results = async (query: string): Promise<RunResult[]> =>
    (await call<RunResults>('GET', `${path}/results?limit=1000${query}`)).results;
  const { tasks } = await call<{ tasks: PlayTask[] }>('GET', `${path}/play_tasks`);
  const outcomes: Outcome[] = [];
  for (const { section, name } of tasks) {
    for (const { host, state } of await results(`&section=${section}`)) {
      outcomes.push({ task: name, host, state });
    }
  }
  const hosts = await call<RunHost[]>('GET', `${path}/hosts`);
  return { outcomes, hosts, results: await results('') };
}

/** Ansible's callbacks know neither what a block rescues nor which hosts may be unreachable. */
function asAnsibleTells({ task, host, state }: Outcome): Outcome {
  if (state === 'rescued') return { task, host, state: 'failed' };
  const isReached = task === 'Unreachable and ignored' && host === 'down';
  return { task, host, state: isReached && state === 'ignored' ? 'unreachable' : state };
}

test.each(['linear', 'free', 'host_pinned'])(
  'with the strategy %s the results are those of a run by hand, though server and runner are killed',
  async (strategy) => {
    const place = await folder();
    const repository = await gitRepository(filesOf(strategy, place));
    let now = await startIn();
    onTestFinished(() => now.server.stop());
    const taskId = await launch(now.call, repository);
    const find = () => now.call<Task>('GET', `/api/project/1/tasks/${taskId}`);
    for (const gate of ['first', 'second']) {
      await until(async () => {
        if (existsSync(join(place, `at-${gate}`))) return true;
        const { status } = await find();
        if (isFinished(status)) throw new Error(`The run has ended before it came to ${gate}.`);
        return false;
      }, longestRunSeconds);
      now = await killBoth(now);
      await writeFile(join(place, gate), '');
    }
    const finished = await until(async () => {
      const task = await find();
      return isFinished(task.status) && task;
    }, longestRunSeconds);
    const told = await read(now.call, taskId);
    const wanted = await byHand(strategy);
    expect(finished.status).toBe('error');
    expect(sorted(told.outcomes.map(asAnsibleTells))).toEqual(sorted(wanted.outcomes));
    expect(told.results.map(({ id }) => id)).toEqual(told.outcomes.map((_, at) => at + 1));
    const plain = told.hosts.map((host) => hostResult.parse(host));
    expect(plain.toSorted((a, b) => a.host.localeCompare(b.host))).toEqual(wanted.hosts);
    const rescued = told.outcomes.filter(({ state }) => state === 'rescued');
    expect(rescued).toEqual([{ task: 'Rescued on two', host: 'two', state: 'rescued' }]);
  },
);
