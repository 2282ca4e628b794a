// What takes minutes to make lies outside of the checkout, by version or content: all checkouts of a user share it.

import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { say } from '../../../scripts/setup/run.js';

const base = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
const folder = join(base, 'signalbox', 'kubernetes');

/**
 * Returns the path of a file or folder in the cache. If it is missing, `make` writes it to `target`, and what it needs
 * meanwhile to `work`.
 */
export function cached(name: string, make: (target: string, work: string) => void): string {
  const path = join(folder, name);
  if (existsSync(path)) return path;
  say(`making ${name}, which may take minutes the first time ...`);
  mkdirSync(folder, { recursive: true });
  const work = mkdtempSync(join(folder, 'work-'));
  try {
    const target = join(work, name);
    make(target, work);
    renameSync(target, path);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return path;
}
