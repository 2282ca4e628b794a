// What remote runners that wait for tasks cost their server, beside the same server without them.

import { setTimeout as sleep } from 'node:timers/promises';
import { LONG_POLL_MAX_SECONDS } from '#shared/api/runner-api.ts';
import type { CallServer } from '../../src/runner/client/server-client.ts';
import type { HttpTaskQueue } from '../../src/runner/client/http-task-queue.ts';
import { install, type Installation, shareOfCore } from './installation.ts';
import type { Opened } from './measure.ts';
import { queueOf, registerRunners } from './simulated-runners.ts';

const runners = 500;
const measuredMs = 15_000;

export async function measureRemoteRunners(checkout: string): Promise<Opened> {
  const installation = await install(checkout);
  const { server } = installation;
  const asks = await registerRunners(installation, runners);
  const share = (): Promise<number> => shareOfCore(server.pid, () => sleep(measuredMs));
  return {
    measures: [
      {
        what: `${runners} remote runners that wait for tasks: processor of the server`,
        unit: '% of a core',
        rounds: 3,
        async take() {
          const queues = await startAll(installation, asks);
          const used = await share();
          await Promise.all(queues.map((queue) => queue.close()));
          return used;
        },
        beside: { name: 'the same server without them', take: share },
      },
    ],
    end: installation.end,
  };
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
