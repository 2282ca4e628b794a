// How many bytes can still be written to the data folder.

import { statfs } from 'node:fs/promises';
import type { RunnerConfig } from './config.ts';

/** Bytes below which the disk counts as full. */
export const leastRoom = 1024 * 1024;

/** The free bytes of the disk of the data folder; Infinity: the system does not tell. */
export async function freeBytes({ dataDir }: Pick<RunnerConfig, 'dataDir'>): Promise<number> {
  try {
    const { bavail, bsize, files, ffree } = await statfs(dataDir);
    // Without a free inode no new file can be written.
    return files > 0 && ffree === 0 ? 0 : bavail * bsize;
  } catch {
    return Infinity;
  }
}

/** Whether the disk of the data folder has the free space that a new task needs. */
export const hasRoomForTasks = async (
  config: Pick<RunnerConfig, 'dataDir' | 'leastDiskBytes'>,
): Promise<boolean> => (await freeBytes(config)) >= config.leastDiskBytes;

/** The free and the whole space of the disk of a folder; null: the system does not tell. */
export async function spaceOf(
  dataDir: string,
): Promise<{ free_bytes: number | null; size_bytes: number | null }> {
  const free = await freeBytes({ dataDir });
  const size = await statfs(dataDir).then(
    ({ blocks, bsize }) => blocks * bsize,
    () => null,
  );
  return { free_bytes: Number.isFinite(free) ? free : null, size_bytes: size };
}

export const isFull = async (config: Pick<RunnerConfig, 'dataDir'>): Promise<boolean> =>
  (await freeBytes(config)) < leastRoom;
