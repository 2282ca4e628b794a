import { accessSync, constants, existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

interface PathConfig {
  /** The PATH of the process. */
  path: string;
}

/** The programs that most tasks need; other apps are checked in the list of apps. */
const expected = ['git', 'ssh', 'ansible-playbook'];

/** `program`: a name in the PATH, or an absolute path. Synchronous, because an asynchronous check takes ten times as long. */
export function isInstalled(config: PathConfig, program: string): boolean {
  const folders = config.path.split(delimiter).filter(Boolean);
  const places = isAbsolute(program) ? [program] : folders.map((folder) => join(folder, program));
  // Most folders of the PATH lack the program, and an exception is slower than this check.
  return places.some((place) => existsSync(place) && mayRun(place));
}

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
 * The file of a program with its modification time, which changes with an upgrade. Null: the program was not found, or
 * has no absolute path.
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
