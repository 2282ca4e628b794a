// Keeps roles, collections and packages of Python that a run has installed for later runs with the
// same requirements. The name of each folder is a hash of everything that its content depends on.

import type { Hash } from 'node:crypto';
import { readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunnerConfig } from '../system/config.ts';

const caches = ['galaxy', 'venvs'] as const;
const unusedMs = 30 * 24 * 60 * 60 * 1000;

/** The folder of a cache for this hash. */
export const cacheFolder = (
  { dataDir }: Pick<RunnerConfig, 'dataDir'>,
  cache: (typeof caches)[number],
  hash: Hash,
): string => join(dataDir, cache, hash.digest('hex').slice(0, 32));

/** Notes that a run has used this folder of a cache. */
export async function markUsed(folder: string): Promise<void> {
  const now = new Date();
  await utimes(folder, now, now);
}

/** Removes the folders that no run has used for a month. */
export async function sweepCaches({ dataDir }: Pick<RunnerConfig, 'dataDir'>): Promise<void> {
  const oldest = Date.now() - unusedMs;
  for (const cache of caches.map((name) => join(dataDir, name))) {
    for (const name of await readdir(cache).catch(() => [])) {
      const { mtimeMs } = await stat(join(cache, name));
      if (mtimeMs < oldest) await rm(join(cache, name), { recursive: true, force: true });
    }
  }
}
