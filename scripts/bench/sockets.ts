// What a thousand websockets that follow one log cost, beside one.

import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { mostConnections } from '#shared/api/live.ts';
import { clock } from './follow.ts';
import type { Following, FollowerMessage } from './followers.ts';
import {
  addProject,
  install,
  type Installation,
  launch,
  type Project,
  shareOfCore,
  untilEnd,
} from './installation.ts';
import { inTurn, quantile, type Row } from './rows.ts';
import { addSessions } from './sessions.ts';

const many = 1000;
const rounds = 3;
const seconds = 10;
const linesAtOnce = 10;

const file = 'lines.sh';

/** Prints when all sockets follow, so that their subscriptions are not measured. */
const script = (go: string): string =>
  `until [ -e '${go}' ]; do sleep 0.05; done\n${clock(linesAtOnce, seconds)}`;

export async function measureSockets(): Promise<Row[]> {
  const installation = await install();
  try {
    const go = join(installation.folder, 'go');
    const project = await addProject(installation, { [file]: script(go) });
    const cookies = await addSessions(installation.dataDir, {
      name: 'follower',
      count: many / mostConnections,
      projectId: project.id,
    });
    const [late, lateAlone]: number[][] = [[], []];
    const follow = (sockets: number, into: number[] = []) => {
      const parts = { go, cookies, sockets };
      return () => followOnce(installation, project, parts, into);
    };
    const { ours, theirs } = await inTurn(rounds, follow(many, late), follow(1, lateAlone));
    return rowsOf({ ours, theirs }, { ours: late ?? [], theirs: lateAlone ?? [] });
  } finally {
    await installation.end();
  }
}

type Pair = Record<'ours' | 'theirs', number[]>;

function rowsOf(shares: Pair, late: Pair): Row[] {
  const sockets = many.toLocaleString('en');
  const pace = (linesAtOnce * 100).toLocaleString('en');
  const what = `${sockets} websockets follow a task of ${pace} lines a second`;
  const name = 'one websocket';
  return [
    {
      what: `${what}: processor of the server`,
      unit: '% of a core',
      ours: shares.ours,
      baseline: { name, values: shares.theirs },
      target: { atMost: 100 },
    },
    {
      what: `${what}: a line written to the line received, 95th percentile`,
      unit: 'ms',
      ours: late.ours,
      baseline: { name, values: late.theirs },
      target: { atMost: 500 },
    },
  ];
}

interface Followers {
  /** The file for which the script waits. */
  go: string;
  cookies: string[];
  sockets: number;
}

/** Runs one task; answers the processor of the server meanwhile, and adds how late its lines came. */
async function followOnce(
  { server, call }: Installation,
  project: Project,
  { go, cookies, sockets }: Followers,
  late: number[],
): Promise<number> {
  await rm(go, { force: true });
  const { id } = await launch(call, project, file);
  const wanted = { address: server.address, cookies, sockets, projectId: project.id, taskId: id };
  const thread = startThread(wanted);
  await thread.follows;
  const share = await shareOfCore(server.pid, async () => {
    await writeFile(go, '');
    const delays = await thread.ended;
    if (delays.length < seconds * linesAtOnce * 100) throw new Error('Lines are missing.');
    late.push(quantile(delays, 0.95));
  });
  await untilEnd(call, project, id);
  return share;
}

/** The sockets are in a thread of their own, so that this one is not what is slow. */
function startThread(wanted: Following): { follows: Promise<void>; ended: Promise<number[]> } {
  const thread = new Worker(new URL('followers.ts', import.meta.url), { workerData: wanted });
  const follows = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<number[]>();
  // When the thread fails early, nobody waits for its end.
  ended.promise.catch(() => undefined);
  thread.on('message', (told: FollowerMessage) => {
    if (told.kind === 'follow') follows.resolve();
    else ended.resolve(told.delays);
  });
  thread.once('error', (error) => {
    follows.reject(error);
    ended.reject(error);
  });
  return { follows: follows.promise, ended: ended.promise };
}
