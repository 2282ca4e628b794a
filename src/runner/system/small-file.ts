// Small files that are in memory already: those of the kernel, and what a run has just written. To wait
// for each of them costs several switches between threads, ten times as much as to read it at once.

import { readFileSync } from 'node:fs';

/** The text of a small file; null: it cannot be read. */
export function readSmall(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** Does something that the system may refuse; false: it was refused. */
export function tried(step: () => unknown): boolean {
  try {
    step();
    return true;
  } catch {
    return false;
  }
}
