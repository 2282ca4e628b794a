// How long a start takes and how much memory an installation uses, beside Fastify alone.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  addProject,
  install,
  launch,
  memoryOf,
  runnerOf,
  type Started,
  startProgram,
  startServer,
  untilAllEnded,
} from './installation.ts';
import type { Row } from './rows.ts';

const starts = 9;
// V8 gives memory back some time after the last work.
const idleMs = 30_000;
const manyTasks = 1000;

const bare = `
  import fastify from 'fastify';
  const server = fastify();
  server.get('/api/ping', () => 'pong');
  console.log('is ready: ' + await server.listen({ host: '127.0.0.1', port: 0 }));
`;

const startBare = (): Promise<Started> =>
  startProgram([process.execPath, '--input-type=module', '--eval', bare], {});

export async function measureStart(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-bench-'));
  const rows = await measureStarts(folder);
  await rm(folder, { recursive: true });
  return [...rows, ...(await measureMemory())];
}

async function measureStarts(dataDir: string): Promise<Row[]> {
  // The first start makes the database.
  await (await startServer(dataDir)).end();
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let count = 0; count < starts; count += 1) {
    const server = await startServer(dataDir);
    ours.push(server.readyMs);
    await server.end();
    const other = await startBare();
    theirs.push(other.readyMs);
    await other.end();
  }
  const baseline = { name: 'Fastify alone', values: theirs };
  return [{ what: 'Start to ready', unit: 'ms', ours, baseline, target: { atMost: 1000 } }];
}

async function measureMemory(): Promise<Row[]> {
  const installation = await install();
  const { server, call } = installation;
  const project = await addProject(installation, { 'end.sh': ':\n' });
  const other = await startBare();
  await sleep(idleMs);
  const runner = await runnerOf(server);
  const baseline = { name: 'Fastify alone', values: [await memoryOf(other.pid)] };
  await other.end();
  const idle = [await memoryOf(server.pid), await memoryOf(runner)] as const;
  for (let count = 0; count < manyTasks; count += 1) await launch(call, project, 'end.sh');
  await untilAllEnded(call, project, manyTasks);
  await sleep(idleMs);
  const later = [await memoryOf(server.pid), await memoryOf(runner)] as const;
  await installation.end();
  const row = (what: string, mb: number, atMost: number): Row => {
    return { what, unit: 'MB', ours: [mb], baseline, target: { atMost } };
  };
  return [
    row('Memory of the server, idle', idle[0], 110),
    row('Memory of the runner, idle', idle[1], 70),
    row(`The server after ${manyTasks} tasks`, later[0], idle[0] + 20),
    row(`The runner after ${manyTasks} tasks`, later[1], idle[1] + 20),
  ];
}
