// Whether the server has the programs that it needs.

import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import type { RunnerConfig } from './config.ts';

/** Without these most people can do nothing; of the other apps the list of apps tells. */
const expected = ['git', 'ssh', 'ansible-playbook'];

/** `program`: a name to be found on the PATH, or an absolute path. */
export async function isInstalled(config: RunnerConfig, program: string): Promise<boolean> {
  const folders = config.path.split(delimiter).filter(Boolean);
  const places = isAbsolute(program) ? [program] : folders.map((folder) => join(folder, program));
  for (const place of places) {
    try {
      await access(place, constants.X_OK);
      return true;
    } catch {
      // Not here.
    }
  }
  return false;
}

export async function missingPrograms(config: RunnerConfig): Promise<string[]> {
  const found = await Promise.all(expected.map((program) => isInstalled(config, program)));
  return expected.filter((_, index) => !found[index]);
}
