// What remote runners that wait for tasks cost their server, compared with the same server without them.

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
  const clients = await registerRunners(installation, runners);
  const share = (): Promise<number> => shareOfCore(server.pid, () => sleep(measuredMs));
  return {
    measures: [
      {
        what: `${runners} remote runners that wait for tasks: processor of the server`,
        unit: '% of a core',
        rounds: 3,
        async take() {
          const queues = await startAll(installation, clients);
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

/** Starts the runners spread over one long poll, as if each had started at a random time. */
async function startAll({ folder }: Installation, clients: CallServer[]): Promise<HttpTaskQueue[]> {
  const queues = clients.map((client) => queueOf(client, folder));
  const begun = performance.now();
  const starts = queues.map(async (queue, index) => {
    await sleep((index / queues.length) * LONG_POLL_MAX_SECONDS * 1000);
    await queue.start();
  });
  await Promise.all(starts);
  // All are waiting, and some have begun a second poll.
  await sleep(Math.max(0, begun + 3 * LONG_POLL_MAX_SECONDS * 1000 - performance.now()));
  return queues;
}
