// How many lines a second are stored while one task, or ten at once, print as fast as they can, and
// what another client notices of it.

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { flood, runIntoFile } from './flood.ts';
import {
  addProject,
  install,
  type Installation,
  launch,
  memoryOf,
  type Project,
  untilAllEnded,
} from './installation.ts';
import { quantile, type Row, timed } from './rows.ts';

/** The lines of all tasks together. */
const lines = 1_000_000;
const rounds = 3;
const pauseMs = 10;

const fileOf = (tasks: number): string => `print-${tasks}.sh`;

export async function measurePrinting(): Promise<Row[]> {
  const choices = [1, 10];
  const installation = await install('SQLite', { SIGNALBOX_MAX_PARALLEL_TASKS: '10' });
  try {
    const files = choices.map((tasks) => [fileOf(tasks), flood(lines / tasks)] as const);
    const project = await addProject(installation, Object.fromEntries(files));
    // The first launch copies the repository.
    await printAll(installation, project, 1);
    const rows: Row[] = [];
    for (const tasks of choices) rows.push(...(await measureTasks(installation, project, tasks)));
    return rows;
  } finally {
    await installation.end();
  }
}

async function measureTasks(
  installation: Installation,
  project: Project,
  tasks: number,
): Promise<Row[]> {
  const perSecond = (ms: number): number => (lines / ms) * 1000;
  const ours: number[] = [];
  const theirs: number[] = [];
  const calls: number[] = [];
  const before = await memoryOf(installation.server.pid);
  let most = before;
  for (let round = 0; round < rounds; round += 1) {
    const work = timed(() => printAll(installation, project, tasks));
    for await (const ms of callsDuring(installation, project, work)) {
      calls.push(ms);
      most = Math.max(most, await memoryOf(installation.server.pid));
    }
    ours.push(perSecond(await work));
    theirs.push(perSecond(await timed(() => printIntoFiles(installation, project, tasks))));
  }
  const who = tasks === 1 ? 'One task prints' : `${tasks} tasks print at once`;
  return [
    {
      what: `${who} ${lines.toLocaleString('en')} lines: stored, from the launch to the end`,
      unit: 'a second',
      ours,
      baseline: { name: 'the same into files, with fsync', values: theirs },
      target: { atLeast: 300_000 },
    },
    {
      what: `${who}: a page of the list of tasks meanwhile, 99th percentile`,
      unit: 'ms',
      ours: [quantile(calls, 0.99)],
      target: { atMost: 100 },
    },
    {
      what: `${who}: memory of the server, more than before`,
      unit: 'MB',
      ours: [most - before],
      target: { atMost: 60 },
    },
  ];
}

async function printAll({ call }: Installation, project: Project, tasks: number): Promise<void> {
  for (let number = 0; number < tasks; number += 1) await launch(call, project, fileOf(tasks));
  const ended = await untilAllEnded(call, project, tasks);
  for (const { id, log_lines: stored } of ended) {
    // The server adds some lines of its own.
    if (stored < lines / tasks) throw new Error(`Only ${stored} lines of task ${id} were stored.`);
  }
}

/** Reads a list again and again until the work ends; answers the milliseconds of each call. */
async function* callsDuring(
  { call }: Installation,
  { path }: Project,
  work: Promise<unknown>,
): AsyncGenerator<number, void, void> {
  const ended = work.then(() => true);
  do yield await timed(() => call('GET', `${path}/tasks/last?limit=20`));
  while (!(await Promise.race([ended, sleep(pauseMs, false)])));
}

async function printIntoFiles(
  { folder }: Installation,
  { code }: Project,
  tasks: number,
): Promise<void> {
  const script = join(code, fileOf(tasks));
  const files = Array.from({ length: tasks }, (_, number) => `${folder}/lines-${number}`);
  await Promise.all(files.map((file) => runIntoFile(script, file)));
}
