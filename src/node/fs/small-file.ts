// Reads small files in memory: those of the kernel, and those in the folder of a run. An asynchronous read takes ten
// times as long.

import { readFileSync } from 'node:fs';

/** Null: the file cannot be read. */
export function readSmallFile(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
