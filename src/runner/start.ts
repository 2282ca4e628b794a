// Starts the loop of a runner: it asks its server for tasks, runs them, and reports to the server.

import type { JWK } from 'jose';
import { runnerApiEndpoints, type InspectionRequest } from '#shared/api/runner-api.ts';
import { claimFolder, type Claim } from './claim-folder.ts';
import { createServerClient, type CallServer, type ServerAddress } from './client/server-client.ts';
import { createHttpRunnerApi } from './client/http-runner-api.ts';
import { HttpTaskQueue } from './client/http-task-queue.ts';
import type { RunnerConfig } from './config/runner-config.ts';
import type { RunnerApi } from './api/runner-api.ts';
import { InspectionRunner } from './inspections/inspection-runner.ts';
import { Runner } from './runs/runner.ts';
import { noGitKeys, type GitKeys } from './api/run-secrets.ts';
import type { Clock } from '../node/async/clock.ts';
import type { Log } from '../node/log/log.ts';
import { openSealed } from '../node/crypto/seal.ts';
import { cachedAsideCount } from '../node/data-folder/set-aside.ts';
import { EventLoopWatch } from '../node/log/event-loop-watch.ts';

/** The server that a runner works for, and what proves to the server which runner it is. */
export interface ServerConnection {
  server: ServerAddress;
  credential: string;
  /** JSON Web Key that opens what the server has sealed for this runner. */
  privateKey: JWK;
  claim: Claim;
}

export interface StartedRunner {
  /** Settles when the server refuses this runner; the value is the reason. */
  shutOut: Promise<string>;
  /** Takes no more tasks. Programs go on, and the next runner in this data folder takes them over. */
  close: () => Promise<void>;
}

/** Settles when the runner has taken over the tasks that an earlier one has left in the data folder. */
export async function startRunner(
  config: RunnerConfig,
  { server, credential, privateKey, claim }: ServerConnection,
  log: Log,
): Promise<StartedRunner> {
  await claimFolder(config, claim, log);
  const callServer = createServerClient(server, credential);
  const clock = serverClock();
  const shut = Promise.withResolvers<string>();
  const inspections = new InspectionRunner(config);
  const queue: HttpTaskQueue = new HttpTaskQueue({
    ask: callServer,
    config,
    log,
    ansibleVersion: () => runner.ansibleVersion,
    gitVersion: () => runner.gitVersion,
    aside: cachedAsideCount(config),
    onInspection: (asked) => answer({ ask: callServer, inspections, privateKey }, asked),
    onServerTime: clock.set,
    onRejected: shut.resolve,
  });
  const runnerApi = telling(createHttpRunnerApi(callServer, privateKey), queue);
  const runner: Runner = new Runner({ config, clock, log, runnerApi }, queue);
  await runner.start();
  const stalls = new EventLoopWatch(log, () => ({ requests: [], tasks: runner.taskIds }));
  stalls.start();
  const close = async (): Promise<void> => {
    stalls.close();
    await Promise.all([inspections.close(), runner.close()]);
  };
  return { shutOut: shut.promise, close };
}

/**
 * Tells the queue when the lease of a task has ended or the task was parked. The runner may still
 * clean up after the task then.
 */
const telling = (
  runnerApi: RunnerApi,
  queue: Pick<HttpTaskQueue, 'forgetTask' | 'park'>,
): RunnerApi => ({
  ...runnerApi,
  async park(task, why) {
    const isParked = await runnerApi.park(task, why);
    if (isParked) queue.park(task.id);
    return isParked;
  },
  async end(task, end) {
    const isEnded = await runnerApi.end(task, end);
    queue.forgetTask(task.id);
    return isEnded;
  },
});

interface Answering {
  ask: CallServer;
  inspections: InspectionRunner;
  privateKey: JWK;
}

async function answer(
  { ask: callServer, inspections, privateKey }: Answering,
  asked: InspectionRequest,
): Promise<void> {
  const { look_id: id, look: inspection, time, sealed } = asked;
  const keys =
    sealed === null
      ? noGitKeys
      : ((await openSealed(privateKey, { task: id, lease: 0 }, sealed)) as GitKeys);
  const seen = await inspections.at(inspection, keys, time);
  if (seen === null) return;
  await callServer(runnerApiEndpoints.reportInspection, {
    params: { look_id: id },
    body: { seen },
  });
}

/** The clock of the server, so that the times in a log fit those of its task. */
function serverClock(): Clock & { set: (time: string) => void } {
  let ahead = 0;
  return {
    now: () => new Date(Date.now() + ahead),
    set(time) {
      ahead = Date.parse(time) - Date.now();
    },
  };
}
