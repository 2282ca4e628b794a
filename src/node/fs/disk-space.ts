import { statfsSync } from 'node:fs';
import type { DataDirConfig } from './data-dir-config.ts';

/** The disk counts as full below. */
export const MIN_FREE_BYTES = 1024 * 1024;

/** The free bytes of the disk of the data folder; Infinity: unknown. */
export function freeBytes({ dataDir }: DataDirConfig): number {
  try {
    // The result is in memory; an asynchronous call takes ten times as long.
    const { bavail, bsize, files, ffree } = statfsSync(dataDir);
    // Without a free inode no file can be created.
    return files > 0 && ffree === 0 ? 0 : bavail * bsize;
  } catch {
    return Infinity;
  }
}

/** Whether the disk of the data folder has the minimum of free space for a new task. */
export const hasSpaceForTasks = (config: DataDirConfig & { leastDiskBytes: number }): boolean =>
  freeBytes(config) >= config.leastDiskBytes;

/** The free and total space of the disk of a folder; null: unknown. */
export function getDiskSpace(dataDir: string): {
  free_bytes: number | null;
  size_bytes: number | null;
} {
  const free = freeBytes({ dataDir });
  return { free_bytes: Number.isFinite(free) ? free : null, size_bytes: sizeBytes(dataDir) };
}

function sizeBytes(dataDir: string): number | null {
  try {
    const { blocks, bsize } = statfsSync(dataDir);
    return blocks * bsize;
  } catch {
    return null;
  }
}

export const isFull = (config: DataDirConfig): boolean => freeBytes(config) < MIN_FREE_BYTES;
