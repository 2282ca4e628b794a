// The programs of a folder that the administrator of the runner owns.

import { constants } from 'node:fs';
import { access, opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutionSnapshot } from '#shared/api/execution-environments.ts';
import type { FailureCode } from '#shared/catalogue/task-failures.ts';
import { ExecutionFailed } from '../execution/execution-failed.ts';
import { isThere } from '../workspace/run-files.ts';
import type { Tools } from './tools.ts';

const MAX_SEARCHED_FILES = 10_000;

type FolderPlace = Pick<ExecutionSnapshot, 'name' | 'folder'>;

/** Throws what the administrator has to change if the folder cannot be used. */
export async function toolsInFolder({ name, folder }: FolderPlace): Promise<Tools> {
  const fails = (code: FailureCode, path = folder): never => {
    throw new ExecutionFailed(code, { name, folder: path });
  };
  const places: string[] = [];
  for (const path of [join(folder, 'bin'), folder]) {
    const found = await stat(path).catch(() => null);
    if (!found?.isDirectory()) continue;
    // Another user could put in programs that run with the keys of tasks.
    if (found.uid !== 0 && found.uid !== process.getuid?.()) fails('failure.tools_owner', path);
    if ((found.mode & 0o022) !== 0) fails('failure.tools_writable', path);
    places.push(path);
  }
  if (!places.includes(folder)) fails('failure.tools_folder');
  for (const bin of places) {
    if (!(await hasPrograms(bin))) continue;
    const isPython = await isThere(join(folder, 'pyvenv.cfg'));
    return { bin, environment: isPython ? folder : null, cached: null, identity: folder };
  }
  return fails('failure.tools_empty');
}

async function hasPrograms(folder: string): Promise<boolean> {
  let left = MAX_SEARCHED_FILES;
  for await (const entry of await opendir(folder)) {
    if (left-- === 0) return false;
    if (!entry.isDirectory() && (await isProgram(join(folder, entry.name)))) return true;
  }
  return false;
}

async function isProgram(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  if (!found?.isFile()) return false;
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
