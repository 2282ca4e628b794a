// What remote runners cost their server: a thousand that wait for tasks, and a hundred with a task each.

import { setTimeout as sleep } from 'node:timers/promises';
import { LONG_POLL_MAX_SECONDS } from '#shared/api/runner-api.ts';
import type { CallServer } from '../../src/runner/client/server-client.ts';
import type { HttpTaskQueue } from '../../src/runner/client/http-task-queue.ts';
import { measureBusyRunners } from './busy-runners.ts';
import { install, type Installation, memoryOf, shareOfCore } from './installation.ts';
import { inTurn, type Row } from './rows.ts';
import { queueOf, registerRunners } from './simulated-runners.ts';

const runners = 1000;
const rounds = 3;
const measuredMs = 15_000;

export async function measureRemoteRunners(): Promise<Row[]> {
  return [...(await measureIdleRunners()), ...(await measureBusyRunners())];
}

async function measureIdleRunners(): Promise<Row[]> {
  const installation = await install();
  const { server } = installation;
  try {
    const asks = await registerRunners(installation, runners);
    const without = await memoryOf(server.pid);
    const memory: number[] = [];
    const share = (): Promise<number> => shareOfCore(server.pid, () => sleep(measuredMs));
    const shareWith = async (): Promise<number> => {
      const queues = await startAll(installation, asks);
      const used = await share();
      memory.push(((await memoryOf(server.pid)) - without) / runners);
      await Promise.all(queues.map((queue) => queue.close()));
      return used;
    };
    const { ours, theirs } = await inTurn(rounds, shareWith, share);
    return rowsOf(ours, theirs, memory);
  } finally {
    await installation.end();
  }
}

function rowsOf(ours: number[], theirs: number[], memory: number[]): Row[] {
  const what = `${runners.toLocaleString('en')} remote runners that wait for tasks`;
  return [
    {
      what: `${what}: processor of the server`,
      unit: '% of a core',
      ours,
      baseline: { name: 'the same server without them', values: theirs },
      target: { atMost: 10 },
    },
    {
      what: `${what}: memory of the server for each`,
      unit: 'MB',
      ours: memory,
      target: {},
    },
  ];
}

/** Starts all of them, spread over the time of one wait, as they are when they started by chance. */
async function startAll({ folder }: Installation, asks: CallServer[]): Promise<HttpTaskQueue[]> {
  const queues = asks.map((ask) => queueOf(ask, folder));
  const begun = performance.now();
  const starts = queues.map(async (queue, index) => {
    await sleep((index / queues.length) * LONG_POLL_MAX_SECONDS * 1000);
    await queue.start();
  });
  await Promise.all(starts);
  // All have begun to wait, and some of them again.
  await sleep(Math.max(0, begun + 3 * LONG_POLL_MAX_SECONDS * 1000 - performance.now()));
  return queues;
}
