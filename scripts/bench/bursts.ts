// Many launches at once: how fast they are accepted, how fast they end, and what many tasks that
// only wait cost.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import {
  addProject,
  type Engine,
  install,
  launch,
  memoryOf,
  runnerOf,
  untilAllEnded,
} from './installation.ts';
import { quantile, type Row, timed } from './rows.ts';

const inARow = 100;
const drained = 500;
const atOnce = 10;
const waiting = 1000;

export async function measureBursts(): Promise<Row[]> {
  return [
    await measureAcceptance('SQLite', 500),
    await measureAcceptance('PostgreSQL', 1000),
    await measureEnds(),
    ...(await measureWaiting()),
  ];
}

/** One launch after the other, while they run. */
async function measureAcceptance(engine: Engine, atMost: number): Promise<Row> {
  const installation = await install(engine);
  const { call, folder } = installation;
  try {
    const project = await addProject(installation, { 'end.sh': ':\n' });
    const burst = (): Promise<number> =>
      timed(async () => {
        for (let count = 0; count < inARow; count += 1) await launch(call, project, 'end.sh');
      });
    await launch(call, project, 'end.sh');
    await untilAllEnded(call, project, 1);
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      ours.push(await burst());
      await untilAllEnded(call, project, inARow);
      theirs.push(await timed(() => insertRows(join(folder, `rows-${round}.db`))));
    }
    const what = `${inARow} launches accepted one after the other, while they run, ${engine}`;
    const baseline = { name: 'a row inserted for each, SQLite', values: theirs };
    return { what, unit: 'ms', ours, baseline, target: { atMost } };
  } finally {
    await installation.end();
  }
}

function insertRows(file: string): void {
  const database = new Database(file);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = NORMAL');
  database.exec('create table tasks (id integer primary key, message text)');
  const insert = database.prepare('insert into tasks (message) values (?)');
  for (let count = 0; count < inARow; count += 1) insert.run(`Task ${count}`);
  database.close();
}

/** Programs that end at once, so many at once. */
async function measureEnds(): Promise<Row> {
  const installation = await install('SQLite', { SIGNALBOX_MAX_PARALLEL_TASKS: String(atOnce) });
  const { call } = installation;
  try {
    const project = await addProject(installation, { 'end.sh': ':\n' });
    await launch(call, project, 'end.sh');
    await untilAllEnded(call, project, 1);
    const ms = await timed(async () => {
      for (let count = 0; count < drained; count += 1) await launch(call, project, 'end.sh');
      await untilAllEnded(call, project, drained);
    });
    const alone = await timed(() => spawnMany(join(project.code, 'end.sh')));
    const perMinute = (time: number): number => (drained / time) * 60_000;
    return {
      what: `Programs that end at once, launched and ended, ${atOnce} at once`,
      unit: 'a minute',
      ours: [perMinute(ms)],
      baseline: { name: 'a loop that starts them', values: [perMinute(alone)] },
      target: { atLeast: 1500, ratioAtLeast: 0.5 },
    };
  } finally {
    await installation.end();
  }
}

async function spawnMany(script: string): Promise<void> {
  let left = drained;
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const child = spawn('bash', [script], { stdio: 'ignore' });
      await new Promise((resolve) => child.once('exit', resolve));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

/** Tasks that only wait, all at once; meanwhile a client reads the list again and again. */
async function measureWaiting(): Promise<Row[]> {
  const installation = await install('SQLite', {
    SIGNALBOX_MAX_PARALLEL_TASKS: String(waiting),
  });
  const { call, server } = installation;
  try {
    const project = await addProject(installation, { 'wait.sh': 'sleep 60\n' });
    const accepted = await timed(async () => {
      for (let count = 0; count < waiting; count += 1) await launch(call, project, 'wait.sh');
    });
    const runner = await runnerOf(server);
    const lists: number[] = [];
    let most = 0;
    for (let count = 0; count < 100; count += 1) {
      lists.push(await timed(() => call('GET', `${project.path}/tasks/last?limit=50`)));
      most = Math.max(most, (await memoryOf(server.pid)) + (await memoryOf(runner)));
    }
    await untilAllEnded(call, project, waiting);
    const what = `${waiting} tasks that wait, at once`;
    return [
      {
        what: `${what}: accepted`,
        unit: 's',
        ours: [accepted / 1000],
        target: { atMost: 20 },
      },
      {
        what: `${what}: server and runner`,
        unit: 'MB',
        ours: [most],
        target: { atMost: 300 },
      },
      {
        what: `${what}: a page of the list, 99th percentile`,
        unit: 'ms',
        ours: [quantile(lists, 0.99)],
        target: { atMost: 200 },
      },
    ];
  } finally {
    await installation.end();
  }
}
