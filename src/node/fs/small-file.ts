// Reads small files that lie in memory: those of the kernel, and those that a run has in its folder.
// Awaiting such a file takes ten times as long as reading it.

import { readFileSync } from 'node:fs';

/** The text of a small file; null: it cannot be read. */
export function readSmallFile(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
