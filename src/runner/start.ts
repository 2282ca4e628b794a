// Starts the loop of a runner: it asks its server for tasks, runs them, and reports to the server.

import type { JWK } from 'jose';
import { runnerDesk, type AskedLook } from '#shared/api/runner-desk.ts';
import { claimFolder, type Claim } from './claim-folder.ts';
import { createAsk, type Ask, type ServerAddress } from './client/ask.ts';
import { remoteDesk } from './client/desk.ts';
import { RemoteQueue } from './client/queue.ts';
import type { RunnerConfig } from './system/config.ts';
import type { Desk } from './desk/desk.ts';
import { Looks } from './looks/looks.ts';
import { Runner } from './runs/runner.ts';
import { noGitKeys, type GitKeys } from './desk/secrets.ts';
import type { Clock } from './system/clock.ts';
import type { Log } from './system/log.ts';
import { openSealed } from './system/seal.ts';
import { rememberAside } from './system/set-aside.ts';
import { StallWatch } from './system/stall-watch.ts';

/** The server that a runner works for, and what proves to the server which runner it is. */
export interface Place {
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
  { server, credential, privateKey, claim }: Place,
  log: Log,
): Promise<StartedRunner> {
  await claimFolder(config, claim, log);
  const ask = createAsk(server, credential);
  const clock = serverClock();
  const shut = Promise.withResolvers<string>();
  const looks = new Looks(config);
  const queue: RemoteQueue = new RemoteQueue({
    ask,
    config,
    log,
    ansibleVersion: () => runner.ansibleVersion,
    gitVersion: () => runner.gitVersion,
    aside: rememberAside(config),
    onLook: (asked) => answer({ ask, looks, privateKey }, asked),
    onTime: clock.set,
    onShutOut: shut.resolve,
  });
  const desk = telling(remoteDesk(ask, privateKey), queue);
  const runner: Runner = new Runner({ config, clock, log, desk }, queue);
  await runner.start();
  const stalls = new StallWatch(log, () => ({ requests: [], tasks: runner.taskIds }));
  stalls.start();
  const close = async (): Promise<void> => {
    stalls.close();
    await Promise.all([looks.close(), runner.close()]);
  };
  return { shutOut: shut.promise, close };
}

/**
 * Tells the queue when the lease of a task has ended or the task was parked. The runner may still
 * clean up after the task then.
 */
const telling = (desk: Desk, queue: Pick<RemoteQueue, 'letGo' | 'park'>): Desk => ({
  ...desk,
  async park(task, why) {
    const isParked = await desk.park(task, why);
    if (isParked) queue.park(task.id);
    return isParked;
  },
  async end(task, end) {
    const isEnded = await desk.end(task, end);
    queue.letGo(task.id);
    return isEnded;
  },
});

interface Answering {
  ask: Ask;
  looks: Looks;
  privateKey: JWK;
}

async function answer({ ask, looks, privateKey }: Answering, asked: AskedLook): Promise<void> {
  const { look_id: id, look, time, sealed } = asked;
  const keys =
    sealed === null
      ? noGitKeys
      : ((await openSealed(privateKey, { task: id, lease: 0 }, sealed)) as GitKeys);
  const seen = await looks.at(look, keys, time);
  if (seen === null) return;
  await ask(runnerDesk.answerLook, { params: { look_id: id }, body: { seen } });
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
