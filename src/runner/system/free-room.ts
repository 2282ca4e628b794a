// How much can be written to the data folder.

import { statfs } from 'node:fs/promises';
import type { RunnerConfig } from './config.ts';

/** Bytes; with less, next to nothing can be written. */
export const leastRoom = 1024 * 1024;

/** Infinite: the system does not say. */
export async function freeBytes({ dataDir }: Pick<RunnerConfig, 'dataDir'>): Promise<number> {
  try {
    const { bavail, bsize, files, ffree } = await statfs(dataDir);
    // Without a place for a new file there is no room either.
    return files > 0 && ffree === 0 ? 0 : bavail * bsize;
  } catch {
    return Infinity;
  }
}

export const isFull = async (config: Pick<RunnerConfig, 'dataDir'>): Promise<boolean> =>
  (await freeBytes(config)) < leastRoom;
