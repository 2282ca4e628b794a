// The last part of `npm run bench:launch`: how long the next node of a workflow takes to start its
// program after the node before it has ended. For comparison, the same rounds launch the same
// template by hand.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Task } from '#shared/api/tasks.ts';
import type { Template } from '#shared/api/templates.ts';
import type { WorkflowRun } from '#shared/api/workflow-runs.ts';
import type { Workflow } from '#shared/api/workflows.ts';
import { isFinished } from '#shared/task-status.ts';
import { connectApi, type ApiCall } from '../test/helpers/api-client.ts';
import type { TestServer } from '../test/helpers/server.ts';

const rounds = 30;
/** The milliseconds that a step may take longer than a launch by hand. */
const allowed = 20;

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

const summary = (values: number[]): string =>
  `median ${median(values).toFixed(0)} ms, least ${Math.min(...values).toFixed(0)} ms, most ${Math.max(...values).toFixed(0)} ms`;

/** A repository whose only script notes when it starts. */
function makeRepository(folder: string, starts: string): string {
  const path = join(folder, 'steps');
  mkdirSync(path);
  writeFileSync(join(path, 'note.sh'), `date +%s%N >> '${starts}'\n`);
  writeFileSync(starts, '');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com', ...args], {
      cwd: path,
      stdio: 'ignore',
    });
  git('init', '--initial-branch', 'main');
  git('add', '--all');
  git('commit', '--message', 'Note the start');
  return path;
}

/** The newest start that the script has noted, in milliseconds since 1970. */
function newestStart(starts: string): number {
  const last = readFileSync(starts, 'utf8').trim().split('\n').at(-1) ?? '0';
  return Number(BigInt(last) / 1000n) / 1000;
}

async function untilEnded<T>(read: () => Promise<T>, hasEnded: (one: T) => boolean): Promise<T> {
  for (let tries = 0; tries < 600; tries += 1) {
    const one = await read();
    if (hasEnded(one)) return one;
    await delay(50);
  }
  throw new Error('a step did not end');
}

export async function measureSteps(server: TestServer, folder: string): Promise<void> {
  const call: ApiCall = await connectApi(server);
  const starts = join(folder, 'step-starts');
  const { id } = await call<{ id: number }>('POST', '/api/projects', { name: 'Steps' });
  const project = `/api/project/${id}`;
  const [key] = await call<{ id: number }[]>('GET', `${project}/keys`);
  if (!key) throw new Error('A new project has no key');
  const repository = await call<{ id: number }>('POST', `${project}/repositories`, {
    name: 'Steps',
    git_url: makeRepository(folder, starts),
    git_branch: 'main',
    ssh_key_id: key.id,
  });
  const template = await call<Template>('POST', `${project}/templates`, {
    name: 'Note the start',
    app: 'bash',
    playbook: 'note.sh',
    repository_id: repository.id,
    inventory_id: null,
    environment_id: null,
  });
  const node = (name: string) => ({
    type: 'template',
    key: name,
    name,
    template_id: template.id,
  });
  const graph = { nodes: [node('a'), node('b')], edges: [{ from: 'a', to: 'b' }] };
  const workflow = await call<Workflow>('POST', `${project}/workflows`, { name: 'Two', graph });
  const byHand: number[] = [];
  const steps: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const asked = performance.timeOrigin + performance.now();
    const task = await call<Task>('POST', `${project}/tasks`, { template_id: template.id });
    const readTask = () => call<Task>('GET', `${project}/tasks/${task.id}`);
    await untilEnded(readTask, ({ status }) => isFinished(status));
    const launched = newestStart(starts) - asked;
    const run = await call<WorkflowRun>('POST', `${project}/workflows/${workflow.id}/runs`, {});
    const readRun = () => call<WorkflowRun>('GET', `${project}/workflow_runs/${run.id}`);
    const ended = await untilEnded(readRun, ({ end }) => end !== null);
    const first = ended.nodes.find((one) => one.key === 'a');
    const step = newestStart(starts) - Date.parse(first?.end ?? '');
    // The first round makes the mirror of the repository.
    if (round === 0) continue;
    byHand.push(launched);
    steps.push(step);
  }
  console.log(`A script launched by hand, to its start, ${rounds} rounds: ${summary(byHand)}`);
  console.log(`The next node of a workflow, from the end before it: ${summary(steps)}`);
  const more = median(steps) - median(byHand);
  const verdict = more <= allowed ? 'met' : 'MISSED';
  console.log(`Target: at most ${allowed} ms more: ${more.toFixed(0)} ms, ${verdict}`);
}
