// How fast long logs are stored and read, and how soon a line that a script prints is seen.

import { join } from 'node:path';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import Database from 'better-sqlite3';
import { flood, runIntoFile } from './flood.ts';
import { clock, delaysIn, hearEnds, messageOf, openSocket, subscribe } from './follow.ts';
import {
  addProject,
  install,
  type Installation,
  launch,
  now,
  type Project,
} from './installation.ts';
import { inTurn, quantile, repeat, type Row, timed } from './rows.ts';

const lines = 200_000;
const rounds = 5;
const seconds = 5;
const longestMs = 120_000;

const scripts = {
  'flood.sh': flood(lines),
  'slow.sh': clock(1, seconds),
  'fast.sh': clock(50, seconds),
};

export async function measureLogs(): Promise<Row[]> {
  const installation = await install();
  try {
    const project = await addProject(installation, scripts);
    return [
      ...(await measureFlood(installation, project)),
      ...delayRows('100', await followLines(installation, project, 'slow.sh'), [5, 15]),
      ...delayRows('5,000', await followLines(installation, project, 'fast.sh'), [60, 60]),
    ];
  } finally {
    await installation.end();
  }
}

async function measureFlood(installation: Installation, project: Project): Promise<Row[]> {
  const { call, folder, server, cookie } = installation;
  const ends = await hearEnds(installation, project.id);
  let id = 0;
  const run = (): Promise<number> =>
    timed(async () => {
      ({ id } = await launch(call, project, 'flood.sh'));
      const { log_lines: stored } = await ends.of(id);
      // The server adds some lines of its own.
      if (stored < lines) throw new Error(`${stored} of ${lines} lines were stored.`);
    });
  const intoFile = (): Promise<number> =>
    timed(() => runIntoFile(join(project.code, 'flood.sh'), `${folder}/lines`));
  await run();
  const { ours, theirs } = await inTurn(rounds, run, intoFile);
  ends.close();
  const address = `${server.address}${project.path}/tasks/${id}/output`;
  const read = async (): Promise<void> => {
    const headers = { cookie, 'accept-encoding': 'identity' };
    const answer = await fetch(address, { headers });
    const text = await answer.text();
    if (!answer.ok || !text.includes(`package-${lines})`)) throw new Error('The log is not whole.');
  };
  const whole = await repeat(rounds, () => timed(read));
  const unpacked = await repeat(rounds, () => timed(() => unpack(installation, id)));
  return [
    {
      what: `A script of ${lines.toLocaleString('en')} lines, launch to end`,
      unit: 'ms',
      ours,
      baseline: { name: 'the same into a file, with fsync', values: theirs },
      target: { atMost: 400 },
    },
    {
      what: 'Its whole log in one answer',
      unit: 'ms',
      ours: whole,
      baseline: { name: 'reading and unpacking what is stored', values: unpacked },
      target: { atMost: 400 },
    },
  ];
}

const decompress = promisify(zstdDecompress);

async function unpack({ dataDir }: Installation, id: number): Promise<void> {
  const database = new Database(join(dataDir, 'signalbox.db'), { readonly: true });
  const pieces = database
    .prepare<[number], { data: Buffer }>('select data from task_log_chunks where task_id = ?')
    .all(id);
  for (const { data } of pieces) await decompress(data);
  database.close();
}

function delayRows(pace: string, delays: number[], [p50, p95]: [number, number]): Row[] {
  const what = `A line written to the line on the websocket, ${pace} lines a second`;
  return [
    { what: `${what}, median`, unit: 'ms', ours: [quantile(delays, 0.5)], target: { atMost: p50 } },
    {
      what: `${what}, 95th percentile`,
      unit: 'ms',
      ours: [quantile(delays, 0.95)],
      target: { atMost: p95 },
    },
  ];
}

/** The milliseconds from each line's time to its arrival on the websocket. */
async function followLines(
  { server, cookie, call }: Installation,
  project: Project,
  file: keyof typeof scripts,
): Promise<number[]> {
  const socket = await openSocket(server.address, cookie);
  const delays: number[] = [];
  const { id } = await launch(call, project, file);
  const ended = new Promise<void>((resolve, reject) => {
    setTimeout(() => reject(new Error('The log did not end.')), longestMs).unref();
    socket.on('message', (data) => {
      const arrived = now();
      const message = messageOf(data);
      if (message.type === 'log_end') resolve();
      delays.push(...delaysIn(message, arrived));
    });
  });
  subscribe(socket, project.id, id);
  await ended;
  socket.close();
  if (delays.length < seconds * 100) throw new Error(`Only ${delays.length} lines came.`);
  return delays;
}
