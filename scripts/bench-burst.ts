// The second part of `npm run bench:launch`: a hundred launches in a row of a script that ends at
// once. It measures how long the server takes to accept them, how many tasks end in a minute, and
// the longest delay of other requests: meanwhile a client asks every few milliseconds for something
// that costs nothing. For comparison, the same run starts the same script as often without a
// server.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Task } from '#shared/api/tasks.ts';
import { isFinished } from '#shared/task-status.ts';
import { connectApi, type ApiCall } from '../test/helpers/api-client.ts';
import type { TestServer } from '../test/helpers/server.ts';

const count = 100;
const pause = 10;
const longestWait = 120_000;

function writeRepository(folder: string): string {
  const code = join(folder, 'burst');
  mkdirSync(code);
  writeFileSync(join(code, 'end.sh'), ':\n');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com', ...args], {
      cwd: code,
    });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Bench');
  return code;
}

interface Burst {
  project: string;
  templateId: number;
}

async function setUp(call: ApiCall, code: string): Promise<Burst> {
  const { id } = await call<{ id: number }>('POST', '/api/projects', { name: 'Burst' });
  const project = `/api/project/${id}`;
  const [key] = await call<{ id: number }[]>('GET', `${project}/keys`);
  const create = async (noun: string, body: object): Promise<number> =>
    (await call<{ id: number }>('POST', `${project}/${noun}`, { project_id: id, ...body })).id;
  const keyId = key?.id ?? (await create('keys', { name: 'None', type: 'none' }));
  const repositoryId = await create('repositories', {
    name: 'Code',
    git_url: code,
    git_branch: 'main',
    ssh_key_id: keyId,
  });
  const templateId = await create('templates', {
    name: 'Ends at once',
    app: 'bash',
    playbook: 'end.sh',
    repository_id: repositoryId,
    allow_parallel_tasks: true,
  });
  return { project, templateId };
}

/** Asks the server again and again until told to end; answers the longest time of one answer. */
function watchAnswers(call: ApiCall): { end: () => Promise<number> } {
  const over = new AbortController();
  let longest = 0;
  const done = (async () => {
    while (!over.signal.aborted) {
      const begun = performance.now();
      await call('GET', '/api/user');
      longest = Math.max(longest, performance.now() - begun);
      await delay(pause);
    }
  })();
  return {
    async end() {
      over.abort();
      await done;
      return longest;
    },
  };
}

async function untilAllEnded(call: ApiCall, project: string): Promise<void> {
  const limit = performance.now() + longestWait;
  while (performance.now() < limit) {
    const tasks = await call<Task[]>('GET', `${project}/tasks?limit=200`);
    if (tasks.every(({ status }) => isFinished(status))) return;
    await delay(20);
  }
  throw new Error('The tasks did not end.');
}

export async function measureBurst(server: TestServer, folder: string): Promise<void> {
  const call = await connectApi(server);
  const code = writeRepository(folder);
  const { project, templateId } = await setUp(call, code);
  const launch = () => call<Task>('POST', `${project}/tasks`, { template_id: templateId });
  // The first launch makes the mirror of the repository.
  await launch();
  await untilAllEnded(call, project);
  const answers = watchAnswers(call);
  const begun = performance.now();
  const times: number[] = [];
  for (let number = 0; number < count; number += 1) {
    const asked = performance.now();
    await launch();
    times.push(performance.now() - asked);
  }
  const accepted = performance.now() - begun;
  await untilAllEnded(call, project);
  const ended = performance.now() - begun;
  const longest = await answers.end();
  const plain = performance.now();
  for (let number = 0; number < count; number += 1) {
    spawnSync('bash', ['end.sh'], { cwd: code, stdio: 'ignore' });
  }
  const bare = performance.now() - plain;
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor(count * share)] ?? NaN).toFixed(0);
  console.log(`\n${count} launches in a row: accepted in ${(accepted / 1000).toFixed(2)} s`);
  console.log(`  one launch: median ${at(0.5)} ms, p95 ${at(0.95)} ms`);
  console.log(`  tasks ended a minute: ${((count / ended) * 60_000).toFixed(0)}`);
  console.log(`  longest wait of somebody else meanwhile: ${longest.toFixed(0)} ms`);
  console.log(`  the bare script as often, one after the other: ${(bare / 1000).toFixed(2)} s`);
}
