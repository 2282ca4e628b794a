// Keeps installed roles, collections and Python packages for later runs with the same requirements, and the programs of
// execution environments. The name of each folder is a hash of everything that its content depends on. Facts of hosts
// have a folder for each project.

import type { Hash } from 'node:crypto';
import { readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunnerConfig } from '../config/runner-config.ts';

const caches = ['galaxy', 'venvs', 'environments', 'facts'] as const;
/** Unused entries are removed after this time. */
export const unusedMs = 30 * 24 * 60 * 60 * 1000;

export const cacheFolder = (
  { dataDir }: Pick<RunnerConfig, 'dataDir'>,
  cache: 'galaxy' | 'venvs' | 'environments',
  hash: Hash,
): string => join(dataDir, cache, hash.digest('hex').slice(0, 32));

/** The folder of all facts, with a folder for each project. */
export const factsOf = ({ dataDir }: Pick<RunnerConfig, 'dataDir'>): string =>
  join(dataDir, 'facts');

export const factsFolder = (config: Pick<RunnerConfig, 'dataDir'>, projectId: number): string =>
  join(factsOf(config), String(projectId));

/** Records the use of an entry of a cache. */
export async function markUsed(folder: string): Promise<void> {
  const now = new Date();
  await utimes(folder, now, now);
}

/** Changes when the folder is removed and made again. */
export async function identityOf(folder: string): Promise<string> {
  const { ino, birthtimeMs } = await stat(folder);
  return `${folder} ${ino} ${birthtimeMs}`;
}

/** Removes the entries that were unused for a month. */
export function sweepCaches(config: Pick<RunnerConfig, 'dataDir'>): Promise<void> {
  const oldest = Date.now() - unusedMs;
  return removeCaches(config, () => oldest);
}

/** Removes the entries that were unused since a time in milliseconds, which is called for each. */
export async function removeCaches(
  { dataDir }: Pick<RunnerConfig, 'dataDir'>,
  since: () => number,
): Promise<void> {
  for (const cache of caches.map((name) => join(dataDir, name))) {
    for (const name of await readdir(cache).catch(() => [])) {
      const { mtimeMs } = await stat(join(cache, name));
      if (mtimeMs < since()) await rm(join(cache, name), { recursive: true, force: true });
    }
  }
}
