// How many bytes can still be written to the data folder.

import { statfsSync } from 'node:fs';
import type { DataDirConfig } from './data-dir-config.ts';

/** Bytes below which the disk counts as full. */
export const MIN_FREE_BYTES = 1024 * 1024;

/** The free bytes of the disk of the data folder; Infinity: the system does not tell. */
export function freeBytes({ dataDir }: DataDirConfig): number {
  try {
    // Its answer comes from memory; awaiting it takes ten times as long.
    const { bavail, bsize, files, ffree } = statfsSync(dataDir);
    // Without a free inode no new file can be written.
    return files > 0 && ffree === 0 ? 0 : bavail * bsize;
  } catch {
    return Infinity;
  }
}

/** Whether the disk of the data folder has the free space that a new task needs. */
export const hasSpaceForTasks = (config: DataDirConfig & { leastDiskBytes: number }): boolean =>
  freeBytes(config) >= config.leastDiskBytes;

/** The free and the whole space of the disk of a folder; null: the system does not tell. */
export function getDiskSpace(dataDir: string): {
  free_bytes: number | null;
  size_bytes: number | null;
} {
  const free = freeBytes({ dataDir });
  return {
    free_bytes: Number.isFinite(free) ? free : null,
    size_bytes: sizeBytes(dataDir),
  };
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
