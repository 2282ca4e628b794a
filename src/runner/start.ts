// A runner at work: it asks its server what to run, runs it, and tells the server what becomes of it.

import type { JWK } from 'jose';
import { runnerDesk, type AskedLook } from '#shared/api/runner-desk.ts';
import { createAsk, type Ask, type ServerAddress } from './client/ask.ts';
import { remoteDesk } from './client/desk.ts';
import { RemoteQueue } from './client/queue.ts';
import type { RunnerConfig } from './system/config.ts';
import type { Desk } from './desk/desk.ts';
import { lookAt } from './looks/looks.ts';
import { Runner } from './runs/runner.ts';
import type { OpenKey } from './desk/secrets.ts';
import type { Clock } from './system/clock.ts';
import type { Log } from './system/log.ts';
import { openSealed } from './system/seal.ts';
import { StallWatch } from './system/stall-watch.ts';

/** Where a runner works, and what shows who it is there. */
export interface Place {
  server: ServerAddress;
  credential: string;
  /** JSON Web Key, to which the server seals secrets. */
  privateKey: JWK;
}

export interface StartedRunner {
  /** Settles when the server shuts it out, with why. */
  shutOut: Promise<string>;
  /** Takes nothing more; what runs goes on, and the next runner in this data folder follows it. */
  close: () => Promise<void>;
}

/** Settles when it has taken over what an earlier runner has left in the data folder. */
export async function startRunner(
  config: RunnerConfig,
  { server, credential, privateKey }: Place,
  log: Log,
): Promise<StartedRunner> {
  const ask = createAsk(server, credential);
  const clock = serverClock();
  const shut = Promise.withResolvers<string>();
  const queue: RemoteQueue = new RemoteQueue({
    ask,
    config,
    log,
    ansibleVersion: () => runner.ansibleVersion,
    onLook: (asked) => answer({ ask, config, privateKey }, asked),
    onTime: clock.set,
    onShutOut: shut.resolve,
  });
  const desk = telling(remoteDesk(ask, privateKey), queue);
  const runner: Runner = new Runner({ config, clock, log, desk }, queue);
  await runner.start();
  const stalls = new StallWatch(log, () => ({ requests: [], tasks: runner.taskIds }));
  stalls.start();
  const close = (): Promise<void> => {
    stalls.close();
    return runner.close();
  };
  return { shutOut: shut.promise, close };
}

/** Tells the queue when a task leaves the hands of the runner, which may still clear up after it. */
const telling = (desk: Desk, queue: Pick<RemoteQueue, 'letGo' | 'park'>): Desk => ({
  ...desk,
  async move(task, to) {
    const isMoved = await desk.move(task, to);
    if (isMoved && to === 'waiting_confirmation') queue.park(task.id);
    return isMoved;
  },
  async end(task, to) {
    const isEnded = await desk.end(task, to);
    queue.letGo(task.id);
    return isEnded;
  },
});

interface Answering {
  ask: Ask;
  config: RunnerConfig;
  privateKey: JWK;
}

async function answer({ ask, config, privateKey }: Answering, asked: AskedLook): Promise<void> {
  const { look_id: id, look, time, sealed } = asked;
  const signal = AbortSignal.timeout(time);
  const key =
    sealed === null
      ? ({ type: 'none' } as const)
      : ((await openSealed(privateKey, { task: id, lease: 0 }, sealed)) as OpenKey);
  const seen = await lookAt(config, look, key, signal);
  await ask(runnerDesk.answerLook, { params: { look_id: id }, body: { seen } });
}

/** That of the server, so that the times of a log fit those of its task. */
function serverClock(): Clock & { set: (time: string) => void } {
  let ahead = 0;
  return {
    now: () => new Date(Date.now() + ahead),
    set(time) {
      ahead = Date.parse(time) - Date.now();
    },
  };
}
