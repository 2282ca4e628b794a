// Tells whether the programs are installed that tasks need.

import { constants, existsSync } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import type { RunnerConfig } from './config.ts';

/** The programs that most tasks need; the list of apps tells which other apps are installed. */
const expected = ['git', 'ssh', 'ansible-playbook'];

/** `program` is a name that is searched on the PATH, or an absolute path. */
export async function isInstalled(config: RunnerConfig, program: string): Promise<boolean> {
  const folders = config.path.split(delimiter).filter(Boolean);
  const places = isAbsolute(program) ? [program] : folders.map((folder) => join(folder, program));
  // Most folders of the PATH do not have the program, and to see that takes less than to await it.
  for (const place of places.filter((path) => existsSync(path))) {
    try {
      await access(place, constants.X_OK);
      return true;
    } catch {
      // The file cannot be run by this user.
    }
  }
  return false;
}

export async function missingPrograms(config: RunnerConfig): Promise<string[]> {
  const found = await Promise.all(expected.map((program) => isInstalled(config, program)));
  return expected.filter((_, index) => !found[index]);
}

/**
 * The file of a program with the time of its last change, which is another one after an upgrade.
 * Null: the program is not found, or not at a fixed path.
 */
export async function stateOfProgram(program: string, path: string): Promise<string | null> {
  const folders = path.split(delimiter);
  const places = program.includes('/') ? [program] : folders.map((folder) => join(folder, program));
  for (const place of places) {
    const file = await stat(place).catch(() => null);
    if (file?.isFile()) return isAbsolute(place) ? `${place} ${file.mtimeMs}` : null;
  }
  return null;
}
