// A runner without the database, as a process: it needs nothing but a way to the server.

import type { JWK } from 'jose';
import type { Config } from '../../server/config.ts';
import type { Clock } from '../../server/context.ts';
import { prepareDataDir } from '../system/data-dir.ts';
import type { Log } from '../system/log.ts';
import type { Chores } from '../housekeeper.ts';
import { Runner } from '../runner.ts';
import { StallWatch } from '../system/stall-watch.ts';
import { trustAuthority } from './authority.ts';
import { createAsk } from './client.ts';
import { becomeRunner, type Remote } from './identity.ts';
import { remoteDesk } from './remote-desk.ts';
import { RemoteQueue } from './remote-queue.ts';

export interface RemoteRunner {
  name: string;
  /** Settles when it is shut out, with why. */
  shutOut: Promise<string>;
  close: () => Promise<void>;
}

/** What is to be tidied in the database is the server's. */
const noChores: Chores = {
  hourly: () => Promise.resolve(),
  daily: () => Promise.resolve(),
  afterTask: () => Promise.resolve(),
};

export async function startRemote(config: Config, remote: Remote, log: Log): Promise<RemoteRunner> {
  await prepareDataDir(config);
  trustAuthority(config);
  const { name, credential, private_key: key } = await becomeRunner(config, remote);
  const ask = createAsk(remote.serverUrl, credential);
  const clock = serverClock();
  let shut: (words: string) => void = () => undefined;
  const shutOut = new Promise<string>((resolve) => {
    shut = resolve;
  });
  const queue = new RemoteQueue({ ask, config, log, onTime: clock.set, onShutOut: shut });
  const own = { ...config, publicUrl: config.publicUrl ?? remote.serverUrl };
  const desk = remoteDesk(ask, key as JWK);
  const runner = new Runner({ config: own, clock, log, desk }, queue, noChores);
  await runner.start();
  const stalls = new StallWatch(log, () => ({ requests: [], tasks: runner.taskIds }));
  stalls.start();
  const close = (): Promise<void> => {
    stalls.close();
    return runner.close();
  };
  return { name, shutOut, close };
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
