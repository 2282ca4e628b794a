// Launches tasks on several servers, which are killed with -9 and started again, and judges by the
// database and by what each command has noted.

import { readdir, readFile, rm, appendFile, mkdtemp } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Task } from '#shared/api/tasks.ts';
import { unfinishedStatuses } from '#shared/task-status.ts';
import { openDatabase } from '../../src/server/db/open.ts';
import type { Tables } from '../../src/server/db/tables.ts';
import { connectApi, type ApiCall } from './api-client.ts';
import { judge, type ClusterCounts, type Launched } from './cluster-drill-judge.ts';
import { kindOf, makeProject, type DrillProject } from './cluster-drill-kinds.ts';
import { serverPassword, startServer, type TestServer } from './server.ts';

/** A kill of a server: after how many seconds, and for how many seconds the server is away. */
export interface Blow {
  after: number;
  to: 'web' | 'runner';
  /** Kills all programs of its tasks too. */
  isWhole: boolean;
  away: number;
}

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

const webs = 2;
const runners = 3;
// How many tasks wait or run at once.
const openAtOnce = 30;
const atOnce = 5;
// How many seconds the tasks may take after the last kill.
const longestEndSeconds = 180;

interface Node {
  role: 'web' | 'runner';
  dataDir: string;
  /** Null while the server is killed. */
  server: TestServer | null;
  /** What each process of the server has printed. */
  printed: (() => string)[];
}

interface Drill {
  folder: string;
  env: Record<string, string>;
  nodes: Node[];
  db: Kysely<Tables>;
  launched: Launched;
  kills: number;
  /** True when servers are no longer started. */
  isEnding: boolean;
  tell: (text: string) => void;
}

async function startNode(drill: Drill, node: Node): Promise<void> {
  node.server = await startServer({
    dataDir: node.dataDir,
    startSeconds: longestEndSeconds,
    env: { ...drill.env, SIGNALBOX_ROLE: node.role },
  });
  node.printed.push(node.server.printed);
}

async function setUp({ databaseUrl, tell = () => undefined }: ClusterDrillOptions): Promise<Drill> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-cluster-drill-'));
  await appendFile(join(folder, 'runs.txt'), '');
  const roles = [...Array<'web'>(webs).fill('web'), ...Array<'runner'>(runners).fill('runner')];
  const drill: Drill = {
    folder,
    env: {
      PATH: `${resolve('test/fixtures/bin')}:${process.env['PATH']}`,
      SIGNALBOX_DATABASE_URL: databaseUrl,
      SIGNALBOX_MASTER_KEY: randomBytes(32).toString('base64'),
      SIGNALBOX_LOCAL_REPOSITORIES: '/',
      SIGNALBOX_MAX_PARALLEL_TASKS: String(atOnce),
      // The compiled code is kept, because servers are started again and again.
      NODE_COMPILE_CACHE: join(folder, 'compiled'),
    },
    nodes: roles.map((role, at) => {
      return { role, dataDir: join(folder, `${role}-${at}`), server: null, printed: [] };
    }),
    db: openDatabase(databaseUrl),
    launched: new Map(),
    kills: 0,
    isEnding: false,
    tell,
  };
  const [first, ...others] = drill.nodes;
  // The first server makes the tables.
  if (first) await startNode(drill, first);
  await Promise.all(others.map((node) => startNode(drill, node)));
  return drill;
}

/** The processes of a server and of all its tasks. */
async function processesOf({ dataDir }: Node): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const own = await Promise.all(
    pids.map(async (pid) => {
      const text = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
      return text.includes(`=${dataDir}\0`) || text.includes(`=${dataDir}/`);
    }),
  );
  return pids.filter((_, index) => own[index]).map(Number);
}

function signal(pids: number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // The process has ended meanwhile.
    }
  }
}

/** All processes are stopped first, so that none sees another one end, as in a power failure. */
async function killWhole(node: Node): Promise<void> {
  for (let tries = 0; tries < 50; tries += 1) {
    const pids = await processesOf(node);
    if (pids.length === 0) return;
    signal(pids, 'SIGSTOP');
    signal(pids, 'SIGKILL');
    await delay(20);
  }
}

const isUp = ({ server }: Node): boolean => server !== null;

/** Kills one of the running servers, unless it is the last of its role, and starts it again. */
async function strike(drill: Drill, { to, isWhole, away }: Blow, choice: number): Promise<void> {
  const up = drill.nodes.filter((node) => node.role === to && isUp(node));
  const node = up[choice % up.length];
  if (!node?.server || up.length < 2) return;
  const { server } = node;
  node.server = null;
  drill.kills += 1;
  drill.tell(`killed ${to}${isWhole ? ' and its tasks' : ''}, away for ${away.toFixed(0)} s`);
  if (isWhole) await killWhole(node);
  await server.end('SIGKILL');
  await delay(away * 1000);
  if (!drill.isEnding) await startNode(drill, node);
}

interface Moment {
  /** The time after which no server is killed. */
  end: number;
  isOver: () => Promise<boolean>;
}

/** Ends when all servers are back. Fails at once if one cannot be started again. */
async function strikeAll(drill: Drill, blows: Iterable<Blow>, { end, isOver }: Moment) {
  const returns: Promise<void>[] = [];
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  let choice = 0;
  for (const blow of blows) {
    await Promise.race([delay(blow.after * 1000), failed.promise]);
    if (performance.now() > end || (await isOver())) break;
    choice += 1;
    const back = strike(drill, blow, choice);
    back.catch(failed.reject);
    returns.push(back);
  }
  await Promise.all(returns);
}

let asked = 0;

/** Answers another web server for each request. */
function findWeb({ nodes }: Drill): string {
  const up = nodes.filter((node) => node.role === 'web' && isUp(node));
  asked += 1;
  return up[asked % up.length]?.server?.address ?? '';
}

/** Calls the API with one session, at any running web server. */
function connect(drill: Drill): Promise<ApiCall> {
  return connectApi({
    password: serverPassword,
    get address() {
      return findWeb(drill);
    },
  });
}

/** Whether no answer came. An error of the server is an answer. */
const isUnanswered = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof Error && error.name === 'TimeoutError');

/** Repeats the request if no answer comes: then there may be two tasks, and both are right. */
async function launch(drill: Drill, call: ApiCall, project: DrillProject, number: number) {
  const note = { answered: [] as number[], unanswered: 0 };
  drill.launched.set(number, note);
  const template_id = project.templates.get(kindOf(number));
  for (let tries = 0; tries < 100 && note.answered.length === 0; tries += 1) {
    try {
      const body = { template_id, message: `number ${number}` };
      note.answered.push((await call<Task>('POST', `${project.path}/tasks`, body)).id);
    } catch (error) {
      if (!isUnanswered(error)) throw error;
      note.unanswered += 1;
      await delay(100);
    }
  }
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
async function enter(drill: Drill): Promise<Caller> {
  const call = await connect(drill);
  return {
    call,
    project: await makeProject(call, { folder: drill.folder, runs: runsOf(drill) }),
  };
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

const runsOf = ({ folder }: Drill): string => join(folder, 'runs.txt');

const textOf = ({ printed }: Node): string => printed.map((text) => text()).join('--- again\n');

async function untilAllFinished(drill: Drill): Promise<void> {
  const end = performance.now() + longestEndSeconds * 1000;
  while (performance.now() < end && (await countOpen(drill)) > 0) await delay(500);
}

async function tearDown(drill: Drill): Promise<void> {
  drill.isEnding = true;
  for (const node of drill.nodes) await killWhole(node);
  await drill.db.destroy();
  await rm(drill.folder, { recursive: true, force: true });
}

export async function runClusterDrill(options: ClusterDrillOptions): Promise<ClusterDrillResult> {
  const begun = performance.now();
  const drill = await setUp(options);
  try {
    const caller = await enter(drill);
    let isLaunched = false;
    const end = performance.now() + options.seconds * 1000;
    const launching = launchAll(drill, options.tasks, caller).finally(() => (isLaunched = true));
    const isOver = async () => isLaunched && (await countOpen(drill)) === 0;
    const striking = strikeAll(drill, options.blows, { end, isOver });
    await Promise.all([launching, striking]);
    await untilAllFinished(drill);
    const noted = (await readFile(runsOf(drill), 'utf8')).trim().split('\n').map(Number);
    const { counts, tasks, findings } = await judge(drill.db, drill.launched, noted);
    const { kills, launched } = drill;
    return {
      counts,
      tasks,
      unanswered: [...launched.values()].reduce((sum, one) => sum + one.unanswered, 0),
      kills,
      seconds: (performance.now() - begun) / 1000,
      findings,
      printed: new Map(drill.nodes.map((node) => [basename(node.dataDir), textOf(node)])),
    };
  } finally {
    await tearDown(drill);
  }
}
