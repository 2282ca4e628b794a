// How long a start takes and how much memory an installation uses, compared with Fastify alone.

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
import type { Measure, Opened } from './measure.ts';

// V8 returns memory to the system some time after the last work.
const idleMs = 30_000;
const manyTasks = 500;

const bare = `
  import fastify from 'fastify';
  const server = fastify();
  server.get('/api/ping', () => 'pong');
  console.log('is ready: ' + await server.listen({ host: '127.0.0.1', port: 0 }));
`;

const startBare = (): Promise<Started> =>
  startProgram([process.execPath, '--input-type=module', '--eval', bare], {});

export async function measureStart(checkout: string): Promise<Opened> {
  const installation = await install(checkout);
  const { server, call, dataDir } = installation;
  const project = await addProject(installation, { 'end.sh': ':\n' });
  const other = await startBare();
  const beside = { name: 'Fastify alone', take: () => memoryOf(other.pid) };
  const memory = (what: string, pidOf: () => Promise<number>): Measure => {
    const take = async (): Promise<number> => memoryOf(await pidOf());
    return { what, unit: 'MB', rounds: 1, take, beside };
  };
  const ofRunner = (): Promise<number> => runnerOf(server);
  const afterIdling = async (): Promise<number> => {
    await sleep(idleMs);
    return server.pid;
  };
  const afterTasks = async (): Promise<number> => {
    for (let count = 0; count < manyTasks; count += 1) await launch(call, project, 'end.sh');
    await untilAllEnded(call, project, 200);
    return afterIdling();
  };
  const start = async (begin: () => Promise<Started>): Promise<number> => {
    const { readyMs, end } = await begin();
    await end();
    return readyMs;
  };
  return {
    measures: [
      memory('Memory of the server, idle', afterIdling),
      memory('Memory of the runner, idle', ofRunner),
      memory(`Memory of the server, idle after ${manyTasks} tasks`, afterTasks),
      memory(`Memory of the runner, idle after ${manyTasks} tasks`, ofRunner),
      {
        what: 'Start to ready',
        unit: 'ms',
        rounds: 9,
        take: () => start(() => startServer(checkout, `${dataDir}-of-starts`)),
        beside: { name: 'Fastify alone', take: () => start(startBare) },
      },
    ],
    end: () => Promise.all([other.end(), installation.end()]),
  };
}
