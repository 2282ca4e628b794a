// The versions of ansible-core that `npm run test:toolchains` tries. Each lies in an environment of
// Python of its own, which is kept for later runs.

import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { triedAnsible } from '#shared/tried-ansible.ts';

export interface TriedAnsible {
  version: string;
  /** The version of Python for which it is made. */
  python: string;
  /** A PATH on which its programs come first. */
  path: string;
}

const kept = join(import.meta.dirname, '../../../.setup/toolchains');

const environmentOf = (version: string): string => join(kept, `ansible-core-${version}`);

/** Without the programs of other versions of Python, of which Ansible would take the newest for modules. */
export const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** All versions, the oldest first. They have to be there already. */
export const ansibles: TriedAnsible[] = triedAnsible.map(({ version, python }) => ({
  version,
  python,
  path: `${join(environmentOf(version), 'bin')}:${systemPath}`,
}));

/** Installs what is missing, which takes half a minute for each version. */
export function installAnsibles(): void {
  mkdirSync(kept, { recursive: true });
  for (const { version, python } of ansibles) {
    const folder = environmentOf(version);
    if (!existsSync(folder)) install(version, findPython(python), folder);
  }
  installUv();
}

function install(version: string, python: string, folder: string): void {
  const run = (command: string, ...args: string[]): void => {
    execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  };
  try {
    run(python, '-m', 'venv', folder);
    run(join(folder, 'bin/pip'), 'install', '--quiet', `ansible-core==${version}`);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** A folder whose program is uv. */
export const uvFolder = join(kept, 'uv/bin');

function installUv(): void {
  const folder = dirname(uvFolder);
  if (existsSync(join(uvFolder, 'uv'))) return;
  execFileSync('python3', ['-m', 'venv', folder]);
  execFileSync(join(uvFolder, 'pip'), ['install', '--quiet', 'uv']);
}

/** The program of a version of Python: one of pyenv, or one on the PATH. */
export function findPython(python: string): string {
  const root = process.env['PYENV_ROOT'] ?? join(homedir(), '.pyenv');
  const [found] = globSync(join(root, 'versions', `${python}.*`, 'bin/python'));
  return found ?? `python${python}`;
}
