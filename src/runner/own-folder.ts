// Locks a data folder for one runner, because two would interfere.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunnerConfig } from './config/runner-config.ts';
import { ignoreDiskFull } from '../node/fs/disk-full.ts';
import { identityOf, isAlive, parseIdentity, type Identity } from './programs/identity.ts';

// The runner of a server that was killed shuts down by itself. It is killed after this time.
const previousEndMs = 5000;
const POLL_INTERVAL_MS = 20;

/** Waits until the previous runner of this data folder has ended, and records this one. */
export async function takeFolder({ dataDir }: Pick<RunnerConfig, 'dataDir'>): Promise<void> {
  const file = join(dataDir, 'runner.pid');
  const before = parseIdentity(await readFile(file, 'utf8').catch(() => ''));
  if (before && before.pid !== process.pid) await untilEnded(before);
  await ignoreDiskFull(writeFile(file, `${identityOf(process.pid)}\n`, { mode: 0o600 }));
}

async function untilEnded(before: Identity): Promise<void> {
  const limit = performance.now() + previousEndMs;
  while (isAlive(before)) {
    if (performance.now() > limit) process.kill(before.pid, 'SIGKILL');
    await delay(POLL_INTERVAL_MS);
  }
}
