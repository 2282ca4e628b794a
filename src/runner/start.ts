// Starts the loop of a runner: it requests tasks from its server, executes them, and reports to the server.

import type { JWK } from 'jose';
import { runnerApiEndpoints, type InspectionRequest } from '#shared/api/runner-api.ts';
import { claimFolder, type Claim } from './claim-folder.ts';
import { createServerClient, type CallServer, type ServerAddress } from './client/server-client.ts';
import { createHttpRunnerApi } from './client/http-runner-api.ts';
import { HttpTaskQueue } from './client/http-task-queue.ts';
import type { RunnerConfig } from './config/runner-config.ts';
import type { RunContext, RunnerApi } from './api/runner-api.ts';
import { InspectionRunner } from './inspections/inspection-runner.ts';
import { Runner } from './runs/runner.ts';
import { localPrograms, type TaskPrograms } from './runs/task-programs.ts';
import { noGitKeys, type GitKeys } from './api/run-secrets.ts';
import { serverClock } from './client/server-clock.ts';
import type { Log } from '../node/log/log.ts';
import { openSealed } from '../node/crypto/seal.ts';
import { cachedAsideCount } from '../node/data-folder/set-aside.ts';
import { EventLoopWatch } from '../node/log/event-loop-watch.ts';

/** A server, and the credentials of this runner. */
export interface ServerConnection {
  server: ServerAddress;
  credential: string;
  /** The JSON Web Key that decrypts the secrets sealed for this runner. */
  privateKey: JWK;
  claim: Claim;
  /** Identifies a remote runner in all installations; absent: it is beside its server. */
  identity?: string;
}

export interface StartedRunner {
  /** Settles when the server refuses this runner; the value is the reason. */
  shutOut: Promise<string>;
  /** Receives no more tasks. Programs outlive the runner; the next one in this data folder resumes their tasks. */
  close: () => Promise<void>;
}

/** Settles when the tasks of an earlier runner in the data folder are resumed. */
export async function startRunner(
  config: RunnerConfig,
  { server, credential, privateKey, claim, identity = '' }: ServerConnection,
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
    containerEngine: () => runner.containerEngine,
    aside: cachedAsideCount(config),
    onInspection: (request) => inspect({ callServer, inspections, privateKey }, request),
    onServerTime: clock.set,
    onRejected: shut.resolve,
  });
  const runnerApi = notifyQueue(createHttpRunnerApi(callServer, privateKey), queue);
  const ctx: RunContext = { config, clock, log, runnerApi };
  const programs = await openPrograms(ctx, { callServer, queue, server, identity });
  const runner: Runner = new Runner(ctx, queue, programs);
  await runner.start();
  const stalls = new EventLoopWatch(log, () => ({ requests: [], tasks: runner.taskIds }));
  stalls.start();
  const close = async (): Promise<void> => {
    stalls.close();
    await Promise.all([inspections.close(), runner.close()]);
  };
  return { shutOut: shut.promise, close };
}

interface ProgramsOptions extends Required<Pick<ServerConnection, 'server' | 'identity'>> {
  callServer: CallServer;
  queue: HttpTaskQueue;
}

/** Loads the client of Kubernetes only where it is used. */
async function openPrograms(
  ctx: RunContext,
  { callServer, queue, server, identity }: ProgramsOptions,
): Promise<TaskPrograms> {
  const { kubernetes } = ctx.config;
  if (!kubernetes) return localPrograms(ctx);
  const { PodRunner } = await import('./kubernetes/pod-runner.ts');
  return PodRunner.open({
    kubernetes,
    identity,
    serverUrl: server.url,
    callServer,
    listRevoked: (tasks) => queue.listRevoked(tasks),
    listParked: () => queue.listParked(),
    log: ctx.log,
  });
}

/** Reports to the queue when a lease has ended or a task was parked; the runner may still clean up then. */
const notifyQueue = (
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

interface InspectionOptions {
  callServer: CallServer;
  inspections: InspectionRunner;
  privateKey: JWK;
}

async function inspect(
  { callServer, inspections, privateKey }: InspectionOptions,
  { look_id: id, look: inspection, time, sealed }: InspectionRequest,
): Promise<void> {
  const keys =
    sealed === null
      ? noGitKeys
      : ((await openSealed(privateKey, { task: id, lease: 0 }, sealed)) as GitKeys);
  const seen = await inspections.run(inspection, keys, time);
  if (seen === null) return;
  const request = { params: { look_id: id }, body: { seen } };
  await callServer(runnerApiEndpoints.reportInspection, request);
}
