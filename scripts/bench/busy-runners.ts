// What a hundred remote runners cost their server while each has a task that prints.

import { generateKeyPairSync } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunnerTask } from '#shared/api/runner-api.ts';
import type { Task } from '#shared/api/tasks.ts';
import type { CallServer } from '../../src/runner/client/server-client.ts';
import { createHttpRunnerApi } from '../../src/runner/client/http-runner-api.ts';
import type { HttpTaskQueue } from '../../src/runner/client/http-task-queue.ts';
import type { RunnerApi } from '../../src/runner/api/runner-api.ts';
import {
  addProject,
  install,
  type Installation,
  launch,
  memoryOf,
  type Project,
  shareOfCore,
  untilAllEnded,
} from './installation.ts';
import type { Row } from './rows.ts';
import { queueOf, registerRunners } from './simulated-runners.ts';

const runners = 100;
const file = 'print.sh';
const tag = 'bench';
const measuredMs = 15_000;
const batchMs = 1000;
/** The lines that a task prints in the time of a batch. */
const linesOfBatch = 10;
const longestStartMs = 60_000;

export async function measureBusyRunners(): Promise<Row[]> {
  const installation = await install();
  const { call, server } = installation;
  try {
    const project = await addProject(installation, { [file]: ':\n' });
    const template = `${project.path}/templates/${project.templates[file]}`;
    await call('PATCH', template, { runner_tags: [tag] });
    const asks = await registerRunners(installation, runners, [tag]);
    const theirs = await shareOfCore(server.pid, () => sleep(measuredMs));
    const without = await memoryOf(server.pid);
    const works = await startAll(installation, project, asks);
    const ours = await shareOfCore(server.pid, () => printAll(works));
    const memory = ((await memoryOf(server.pid)) - without) / runners;
    await endAll(works);
    checkLines(await untilAllEnded(call, project, runners));
    return rowsOf(ours, theirs, memory);
  } finally {
    await installation.end();
  }
}

function rowsOf(ours: number, theirs: number, memory: number): Row[] {
  const what = `${runners} remote runners with a task of ${linesOfBatch} lines a second each`;
  return [
    {
      what: `${what}: processor of the server`,
      unit: '% of a core',
      ours: [ours],
      baseline: { name: 'the same server without them', values: [theirs] },
      target: {},
    },
    {
      what: `${what}: processor of the server for each`,
      unit: '% of a core',
      ours: [(ours - theirs) / runners],
      target: {},
    },
    { what: `${what}: memory of the server for each`, unit: 'MB', ours: [memory], target: {} },
  ];
}

/** A runner and the task that it has. */
interface Work {
  queue: HttpTaskQueue;
  runnerApi: RunnerApi;
  task: RunnerTask;
}

/** Starts the runners and as many tasks; settles when each runner has begun one. */
async function startAll(
  { call, folder }: Installation,
  project: Project,
  asks: CallServer[],
): Promise<Work[]> {
  const begun = asks.map((ask) => startOne(ask, folder));
  const ready = Promise.all(begun);
  // When a runner fails, the launches end first.
  ready.catch(() => undefined);
  for (let count = 0; count < runners; count += 1) await launch(call, project, file);
  return ready;
}

async function startOne(ask: CallServer, folder: string): Promise<Work> {
  // The tasks have no secrets, so that any key will do.
  const { privateKey } = generateKeyPairSync('x25519');
  const runnerApi = createHttpRunnerApi(ask, privateKey.export({ format: 'jwk' }));
  const queue = queueOf(ask, folder);
  const given = Promise.withResolvers<void>();
  const removeListener = queue.onReady(() => given.resolve());
  const late = setTimeout(() => given.reject(new Error('No task was given.')), longestStartMs);
  await queue.start();
  await given.promise;
  clearTimeout(late);
  removeListener();
  const [task] = await queue.listInterrupted();
  if (!task) throw new Error('The task was gone.');
  await runnerApi.beginStep(task, { step: 1, commands: [file] });
  return { queue, runnerApi, task };
}

const batches = measuredMs / batchMs;

/** Stores the lines of all tasks, of which each prints at moments of its own. */
async function printAll(works: Work[]): Promise<void> {
  await Promise.all(
    works.map(async ({ runnerApi, task }, index) => {
      await sleep((index / works.length) * batchMs);
      for (let batch = 0; batch < batches; batch += 1) {
        const stored = runnerApi.storeLines(task, linesOf(task, batch));
        await Promise.all([stored, sleep(batchMs)]);
      }
    }),
  );
}

function linesOf({ log_lines: before }: RunnerTask, batch: number) {
  const time = new Date().toISOString();
  const text = (line: number): string => `ok: line ${line} of batch ${batch}`;
  const lines = Array.from({ length: linesOfBatch }, (_, line) => ({ time, output: text(line) }));
  const earlier = batch * linesOfBatch;
  return { from: before + earlier + 1, lines, spoolOffset: (earlier + linesOfBatch) * 100 };
}

async function endAll(works: Work[]): Promise<void> {
  for (const { queue, runnerApi, task } of works) {
    await runnerApi.end(task, { to: 'success', exitCode: 0, failure: null });
    queue.forgetTask(task.id);
    await queue.close();
  }
}

function checkLines(tasks: Task[]): void {
  for (const { id, log_lines: stored } of tasks) {
    if (stored < batches * linesOfBatch) throw new Error(`Lines of task ${id} are missing.`);
  }
}
