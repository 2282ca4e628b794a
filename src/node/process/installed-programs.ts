// Tells whether the programs are installed that tasks need.

import { accessSync, constants, existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

interface PathConfig {
  /** The PATH of the process. */
  path: string;
}

/** The programs that most tasks need; the list of apps tells which other apps are installed. */
const expected = ['git', 'ssh', 'ansible-playbook'];

/**
 * `program` is a name that is searched on the PATH, or an absolute path. Looks synchronously, because the
 * system has the answer in memory, and awaiting it takes ten times as long.
 */
export function isInstalled(config: PathConfig, program: string): boolean {
  const folders = config.path.split(delimiter).filter(Boolean);
  const places = isAbsolute(program) ? [program] : folders.map((folder) => join(folder, program));
  // Most folders of the PATH do not have the program, and an error takes longer than this question.
  return places.some((place) => existsSync(place) && mayRun(place));
}

/** Whether this user may run the file. */
function mayRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export const missingPrograms = (config: PathConfig): string[] =>
  expected.filter((program) => !isInstalled(config, program));

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
