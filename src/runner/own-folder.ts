// Keeps a data folder for one runner: two of them would disturb each other.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunnerConfig } from './system/config.ts';
import { ifThereIsRoom } from './system/full.ts';
import { identityOf, isAlive, parseIdentity, type Identity } from './programs/identity.ts';

// Milliseconds: the runner of a server that was killed ends by itself, as soon as it notices.
const patience = 5000;
const pause = 20;

/** Waits for the end of the runner that worked in this data folder before. */
export async function takeFolder({ dataDir }: Pick<RunnerConfig, 'dataDir'>): Promise<void> {
  const file = join(dataDir, 'runner.pid');
  const before = parseIdentity(await readFile(file, 'utf8').catch(() => ''));
  if (before && before.pid !== process.pid) await untilEnded(before);
  await ifThereIsRoom(writeFile(file, `${await identityOf(process.pid)}\n`, { mode: 0o600 }));
}

async function untilEnded(before: Identity): Promise<void> {
  const limit = performance.now() + patience;
  while (await isAlive(before)) {
    if (performance.now() > limit) process.kill(before.pid, 'SIGKILL');
    await delay(pause);
  }
}
