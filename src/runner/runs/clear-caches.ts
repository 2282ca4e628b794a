// Clears the caches of a runner on request: mirrors of repositories, home folders of projects, and installed roles,
// collections and packages, except those that a task uses.

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mirrorName, ownerOf, type Owner } from '../git/mirror-name.ts';
import { mirrorsOf, removeMirror } from '../git/mirror.ts';
import { removeCaches } from '../prepare/caches.ts';
import { removeHomes } from '../prepare/persistent-home.ts';
import type { RunnerConfig } from '../config/runner-config.ts';

export interface Uses {
  repositories: Owner[];
  /** When the first of the running tasks began, in milliseconds; Infinity: none runs. */
  since: number;
}

/** True: all caches were cleared. `uses` is called before each removal. */
export async function clearCaches(config: RunnerConfig, uses: () => Uses): Promise<boolean> {
  const mirrors = mirrorsOf(config);
  const isUsed = (name: string): boolean =>
    uses().repositories.some((one) => mirrorName(one) === ownerOf(name));
  for (const name of await readdir(mirrors).catch(() => [])) {
    await removeMirror(config, join(mirrors, name), () => isUsed(name));
  }
  // A task updates the modification time of the folders that it uses when it begins.
  await removeCaches(config, () => uses().since);
  await removeHomes(config, () => true);
  return uses().since === Infinity;
}

const noteOf = ({ dataDir }: RunnerConfig): string => join(dataDir, 'cache-cleared');

/** The time of the last completed request; empty: none. */
export const readCleared = async (config: RunnerConfig): Promise<string> =>
  (await readFile(noteOf(config), 'utf8').catch(() => '')).trim();

export const noteCleared = (config: RunnerConfig, asked: string): Promise<void> =>
  writeFile(noteOf(config), `${asked}\n`, { mode: 0o600 });
