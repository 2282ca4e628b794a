// Launches tasks on several servers, which are killed with -9 and started again, and judges by the
// database and by what each command has noted.

import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Task } from '#shared/api/tasks.ts';
import { unfinishedStatuses } from '#shared/task-status.ts';
import { openDatabase } from '../../src/server/db/open.ts';
import type { Tables } from '../../src/server/db/tables.ts';
import type { ApiCall } from './api-client.ts';
import { judge, type ClusterCounts, type Launched } from './cluster-drill-judge.ts';
import { kindOf, makeProject, type DrillProject } from './cluster-drill-kinds.ts';
import { DrillServers, launchAnswered, type Blow } from './drill-servers.ts';

interface ClusterDrillOptions {
  /** An empty database. */
  databaseUrl: string;
  tasks: number;
  /** The most seconds during which servers are killed. */
  seconds: number;
  blows: Iterable<Blow>;
  tell?: (text: string) => void;
}

interface ClusterDrillResult {
  counts: ClusterCounts;
  /** How many tasks there are, with further attempts and doubled launches. */
  tasks: number;
  unanswered: number;
  kills: number;
  seconds: number;
  findings: string[];
  /** What each server has printed, by its name. */
  printed: Map<string, string>;
}

// How many tasks wait or run at once.
const openAtOnce = 30;
const atOnce = 5;
// How many seconds the tasks may take after the last kill.
const longestEndSeconds = 180;

interface Drill {
  servers: DrillServers;
  /** The file in which each command notes that it runs. */
  runs: string;
  db: Kysely<Tables>;
  launched: Launched;
  tell: (text: string) => void;
}

async function setUp({ databaseUrl, tell = () => undefined }: ClusterDrillOptions): Promise<Drill> {
  const servers = await DrillServers.start({
    roles: ['web', 'web', 'runner', 'runner', 'runner'],
    databaseUrl,
    atOnce,
    startSeconds: longestEndSeconds,
    tell,
  });
  const runs = join(servers.folder, 'runs.txt');
  await appendFile(runs, '');
  return { servers, runs, db: openDatabase(databaseUrl), launched: new Map(), tell };
}

async function launch(drill: Drill, call: ApiCall, project: DrillProject, number: number) {
  const note = { answered: [], unanswered: 0 };
  drill.launched.set(number, note);
  const template_id = project.templates.get(kindOf(number));
  const body = { template_id, message: `number ${number}` };
  await launchAnswered(note, () => call<Task>('POST', `${project.path}/tasks`, body));
}

async function countOpen({ db }: Drill): Promise<number> {
  const { count } = await db
    .selectFrom('tasks')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('status', 'in', unfinishedStatuses)
    .executeTakeFirstOrThrow();
  return count;
}

interface Caller {
  call: ApiCall;
  project: DrillProject;
}

/** Signs in and makes the project, before any server is killed: these requests are not repeated. */
async function enter({ servers, runs }: Drill): Promise<Caller> {
  const call = await servers.connect();
  return { call, project: await makeProject(call, { folder: servers.folder, runs }) };
}

/** Launches all tasks, with only a few of them unfinished at once. */
async function launchAll(drill: Drill, tasks: number, { call, project }: Caller): Promise<void> {
  for (let number = 0; number < tasks;) {
    const room = openAtOnce - (await countOpen(drill));
    const batch = Array.from({ length: Math.min(room, tasks - number) }, (_, at) => number + at);
    await Promise.all(batch.map((next) => launch(drill, call, project, next)));
    number += batch.length;
    if (number % 50 < batch.length) drill.tell(`${number} of ${tasks} tasks launched`);
    await delay(200);
  }
}

async function untilAllFinished(drill: Drill): Promise<void> {
  const end = performance.now() + longestEndSeconds * 1000;
  while (performance.now() < end && (await countOpen(drill)) > 0) await delay(500);
}

async function tearDown({ servers, db }: Drill): Promise<void> {
  await db.destroy();
  await servers.tearDown();
}

export async function runClusterDrill(options: ClusterDrillOptions): Promise<ClusterDrillResult> {
  const begun = performance.now();
  const drill = await setUp(options);
  try {
    const caller = await enter(drill);
    let isLaunched = false;
    const end = performance.now() + options.seconds * 1000;
    const launching = launchAll(drill, options.tasks, caller).finally(() => (isLaunched = true));
    const isOver = async () =>
      performance.now() > end || (isLaunched && (await countOpen(drill)) === 0);
    const striking = drill.servers.strikeAll(options.blows, isOver);
    await Promise.all([launching, striking]);
    await untilAllFinished(drill);
    const noted = (await readFile(drill.runs, 'utf8')).trim().split('\n').map(Number);
    const { counts, tasks, findings } = await judge(drill.db, drill.launched, noted);
    const { servers, launched } = drill;
    return {
      counts,
      tasks,
      unanswered: [...launched.values()].reduce((sum, one) => sum + one.unanswered, 0),
      kills: servers.kills,
      seconds: (performance.now() - begun) / 1000,
      findings,
      printed: servers.printed(),
    };
  } finally {
    await tearDown(drill);
  }
}
