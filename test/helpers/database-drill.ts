// Launches tasks and runs of a workflow while their database fails again and again, and judges what has
// become of them.

import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Task } from '#shared/api/tasks.ts';
import type { WorkflowRun } from '#shared/api/workflow-runs.ts';
import { finishedStatuses, unfinishedStatuses } from '#shared/task-status.ts';
import { openDatabase } from '../../src/server/db/open.ts';
import type { Tables } from '../../src/server/db/tables.ts';
import type { ApiCall } from './api-client.ts';
import { kindOf, makeProject, type DrillProject } from './cluster-drill-kinds.ts';
import { judge, type Launched } from './cluster-drill-judge.ts';
import type { Fault } from './database-faults.ts';
import { DrillServers, type Answers } from './drill-servers.ts';
import { lookAtRuns, makeWorkflowProject } from './workflow-drill.ts';
import { judge as judgeRuns, type DrillObservations } from './workflow-drill-judge.ts';

interface DatabaseDrillOptions {
  /** The address of PostgreSQL through which the servers reach it; null: one server with SQLite. */
  faultyUrl: string | null;
  /** The database itself, which the drill reads. Gets the folder of the data of the first server. */
  directUrl: (dataDir: string) => string;
  /** Further settings of the servers. */
  env: Record<string, string>;
  faults: (dataDir: string) => Iterable<Fault>;
  most: { tasks: number; runs: number; faults: number };
  /** Called with the folder of the first server before the server starts. */
  tell: (text: string) => void;
}

/** Each count must be zero. */
interface DatabaseCounts {
  /** Tasks that ended for another reason than their program. */
  killed: number;
  lost: number;
  stuck: number;
  doubled: number;
  linesWrong: number;
}

interface DatabaseDrillResult {
  counts: DatabaseCounts;
  findings: string[];
  tasks: number;
  runs: number;
  /** How many faults of each name there were. */
  faults: Map<string, number>;
  printed: Map<string, string>;
}

const openAtOnce = 20;
/** Between two faults, so that something succeeds too. */
const pauseMs = 500;
const longestEndSeconds = 240;

/** Refusals that pass, as programs see them: they try again. */
const isPassing = (error: unknown): boolean => {
  const { name, message } = error as Error;
  const passing =
    /"code":"(?:request\.internal|request\.unavailable|system\.\w+|runner\.not_stored)"/;
  return name === 'TypeError' || name === 'TimeoutError' || passing.test(message);
};

/** Repeats a launch until an answer comes: each one without may have launched something too. */
async function launchUntil(note: Answers, launch: () => Promise<{ id: number }>): Promise<void> {
  for (let tries = 0; tries < 600 && note.answered.length === 0; tries += 1) {
    try {
      note.answered.push((await launch()).id);
    } catch (error) {
      if (!isPassing(error)) throw error;
      note.unanswered += 1;
      await delay(100);
    }
  }
}

interface Drill {
  call: ApiCall;
  db: Kysely<Tables>;
  tell: (text: string) => void;
}

/** Reads what the drill has to know, however the database is. */
async function persist<T>(read: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await read();
    } catch (error) {
      if (tries === 300) throw error;
      await delay(100);
    }
  }
}

const countOpen = ({ db }: Drill): Promise<number> =>
  persist(async () => {
    const tasks = await db
      .selectFrom('tasks')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('status', 'in', unfinishedStatuses)
      .executeTakeFirstOrThrow();
    const runs = await db
      .selectFrom('workflow_runs')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('end', 'is', null)
      .executeTakeFirstOrThrow();
    const left = await db
      .selectFrom('task_follow_ups')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return tasks.count + runs.count + left.count;
  });

async function untilRoom(drill: Drill): Promise<void> {
  for (let tries = 0; tries < 3000; tries += 1) {
    if ((await countOpen(drill)) < openAtOnce) return;
    await delay(100);
  }
}

async function launchTasks(drill: Drill, project: DrillProject, most: number): Promise<Launched> {
  const launched: Launched = new Map();
  for (let number = 0; number < most; number += 1) {
    await untilRoom(drill);
    const note: Answers = { answered: [], unanswered: 0 };
    launched.set(number, note);
    const template_id = project.templates.get(kindOf(number));
    const body = { template_id, message: `number ${number}` };
    await launchUntil(note, () => drill.call<Task>('POST', `${project.path}/tasks`, body));
    if (number % 20 === 19) drill.tell(`${number + 1} of ${most} tasks launched`);
  }
  return launched;
}

async function launchRuns(
  drill: Drill,
  { path, workflowId }: { path: string; workflowId: number },
  most: number,
): Promise<DrillObservations['launched']> {
  const launched: DrillObservations['launched'] = new Map();
  for (let number = 0; number < most; number += 1) {
    await untilRoom(drill);
    const message = `number ${number}`;
    const note: Answers = { answered: [], unanswered: 0 };
    launched.set(message, note);
    const runs = `${path}/workflows/${workflowId}/runs`;
    await launchUntil(note, () => drill.call<WorkflowRun>('POST', runs, { message }));
  }
  return launched;
}

/** Strikes until there were enough faults and everything has been launched; returns how often each came. */
async function strikeAll(
  faults: Iterable<Fault>,
  most: number,
  { isOver, tell }: { isOver: () => boolean; tell: Drill['tell'] },
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  let count = 0;
  for (const { name, strike } of faults) {
    if (count >= most && isOver()) break;
    if (count >= 2 * most) break;
    await strike();
    counts.set(name, (counts.get(name) ?? 0) + 1);
    count += 1;
    if (count % 50 === 0) tell(`${count} faults`);
    await delay(pauseMs);
  }
  return counts;
}

async function judgeEnds({ db }: Drill): Promise<{ killed: string[]; doubled: string[] }> {
  const ended = await db
    .selectFrom('tasks')
    .select(['id', 'status', 'failure'])
    .where('status', 'in', finishedStatuses)
    .execute();
  const told = await db
    .selectFrom('events')
    .select(({ fn }) => ['object_id', fn.countAll<number>().as('count')])
    .where('code', '=', 'task.finished')
    .groupBy('object_id')
    .execute();
  const times = new Map(told.map(({ object_id: id, count }) => [id, count]));
  const killed = ended
    .filter(({ status, failure }) => status === 'error' && !failure?.includes('failure.exit_code'))
    .map(({ id, failure }) => `task ${id} was ended: ${failure}`);
  const doubled = ended
    .filter(({ id }) => times.get(id) !== 1)
    .map(({ id }) => `the end of task ${id} was recorded ${times.get(id) ?? 0} times`);
  return { killed, doubled };
}

const numbersIn = async (file: string): Promise<number[]> =>
  (await readFile(file, 'utf8')).split('\n').filter(Boolean).map(Number);

export async function runDatabaseDrill(
  options: DatabaseDrillOptions,
): Promise<DatabaseDrillResult> {
  const { faultyUrl, most, tell } = options;
  const servers = await DrillServers.start({
    roles: faultyUrl === null ? ['all'] : ['all', 'runner'],
    databaseUrl: faultyUrl,
    env: options.env,
    atOnce: 8,
    startSeconds: longestEndSeconds,
    tell,
  });
  const dataDir = join(servers.folder, 'all-0');
  const db = openDatabase(options.directUrl(dataDir));
  try {
    const drill: Drill = { call: await servers.connect(), db, tell };
    const files = {
      tasks: join(servers.folder, 'tasks.txt'),
      runs: join(servers.folder, 'runs.txt'),
    };
    for (const file of Object.values(files)) await appendFile(file, '');
    const project = await makeProject(drill.call, { folder: servers.folder, runs: files.tasks });
    const folder = join(servers.folder, 'workflow');
    const flow = await makeWorkflowProject(drill.call, { folder, noted: files.runs });
    let isOver = false;
    const launching = Promise.all([
      launchTasks(drill, project, most.tasks),
      launchRuns(drill, flow, most.runs),
    ]).finally(() => (isOver = true));
    const striking = strikeAll(options.faults(dataDir), most.faults, {
      isOver: () => isOver,
      tell,
    });
    const [[launched, runsLaunched], faults] = await Promise.all([launching, striking]);
    const last = performance.now() + longestEndSeconds * 1000;
    while (performance.now() < last && (await countOpen(drill)) > 0) await delay(500);
    const own = await judge(db, launched, await numbersIn(files.tasks));
    const seen = await lookAtRuns(drill.call, flow);
    const noted = await numbersIn(files.runs);
    const ofRuns = judgeRuns({ ...seen, noted, launched: runsLaunched });
    const { killed, doubled } = await judgeEnds(drill);
    return {
      counts: {
        killed: killed.length,
        lost: own.counts.lost + ofRuns.counts.lost,
        stuck: own.counts.stuck + ofRuns.counts.stuck + (await countOpen(drill)),
        doubled: own.counts.doubled + ofRuns.counts.doubled + doubled.length,
        linesWrong: own.counts.linesLost + own.counts.linesDoubled,
      },
      findings: [...killed, ...doubled, ...own.findings, ...ofRuns.findings],
      tasks: own.tasks + seen.tasks.length,
      runs: seen.runs.length,
      faults,
      printed: servers.printed(),
    };
  } finally {
    await db.destroy();
    await servers.tearDown();
  }
}
