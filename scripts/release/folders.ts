// Copies files into the folders that artefacts are packed from, and makes their modes the same on
// every machine.

import { chmodSync, cpSync, globSync, lstatSync, mkdirSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Copies files and folders, which are named in the same way in both places. */
export function copyInto(from: string, to: string, names: string[]): void {
  for (const name of names) {
    mkdirSync(dirname(join(to, name)), { recursive: true });
    cpSync(join(from, name), join(to, name), { recursive: true });
  }
}

/**
 * Sets the mode of a published file and the given time on every file and folder. `programs` are
 * patterns of files that can be executed.
 */
export function settle(folder: string, time: number, programs: string[]): void {
  const executable = new Set(globSync(programs, { cwd: folder }));
  for (const name of ['.', ...globSync('**', { cwd: folder })]) {
    const path = join(folder, name);
    const state = lstatSync(path);
    if (state.isSymbolicLink()) continue;
    chmodSync(path, state.isDirectory() || executable.has(name) ? 0o755 : 0o644);
    utimesSync(path, time, time);
  }
}

/** The bytes of all files in a folder. */
export const bytesOf = (folder: string): number =>
  globSync('**', { cwd: folder })
    .map((name) => lstatSync(join(folder, name)))
    .reduce((sum, state) => sum + (state.isFile() ? state.size : 0), 0);
