// Which programs the apps need, and whether the server has them.

import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { Config } from '../config.ts';

const programOfApp: Record<string, string> = { ansible: 'ansible-playbook' };
const always = ['git', 'ssh'];

async function isInstalled(config: Config, program: string): Promise<boolean> {
  for (const folder of config.path.split(delimiter).filter(Boolean)) {
    try {
      await access(join(folder, program), constants.X_OK);
      return true;
    } catch {
      // Not in this folder.
    }
  }
  return false;
}

/** The program that an app needs and the server lacks; null when all is there. */
export async function missingProgram(config: Config, app: string): Promise<string | null> {
  const program = programOfApp[app];
  return program && !(await isInstalled(config, program)) ? program : null;
}

export async function missingPrograms(config: Config): Promise<string[]> {
  const programs = [...always, ...Object.values(programOfApp)];
  const found = await Promise.all(programs.map((program) => isInstalled(config, program)));
  return programs.filter((_, index) => !found[index]);
}
