// The private folder of a run: made, filled, removed. Secrets lie on a memory file system.

import { chmod, mkdir, mkdtemp, readdir, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../config.ts';

export interface Workspace {
  dir: string;
  /** The files of the repository, made by the checkout. */
  checkout: string;
  /** HOME of the programs. */
  home: string;
  /** Writes a file that only we can read, in memory; answers its path. */
  writeSecret: (name: string, text: string) => Promise<string>;
  /** A path on the memory file system, short enough for a socket. */
  secretPath: (name: string) => string;
  remove: () => Promise<void>;
}

const memory = '/dev/shm';
const prefix = 'sbx-';
const runsOf = (config: Config): string => join(config.dataDir, 'runs');

export async function makeWorkspace(config: Config, taskId: number): Promise<Workspace> {
  const dir = join(runsOf(config), String(taskId));
  await removeRun(dir);
  await mkdir(join(dir, 'home'), { recursive: true, mode: 0o700 });
  const secrets = await makeSecretFolder();
  // Whoever cleans up after a crash finds the secrets by this link.
  await symlink(secrets, join(dir, 'secrets'));
  const secretPath = (name: string): string => join(secrets, name);
  return {
    dir,
    checkout: join(dir, 'checkout'),
    home: join(dir, 'home'),
    secretPath,
    async writeSecret(name, text) {
      await writeFile(secretPath(name), text, { mode: 0o600, flag: 'wx' });
      return secretPath(name);
    },
    remove: () => removeRun(dir),
  };
}

async function makeSecretFolder(): Promise<string> {
  try {
    return await privateFolder(join(memory, prefix));
  } catch {
    // No memory file system here, as on macOS.
    return privateFolder(join(tmpdir(), prefix));
  }
}

async function privateFolder(path: string): Promise<string> {
  const folder = await mkdtemp(path);
  await chmod(folder, 0o700);
  return folder;
}

/** Removes a run's folder with its secrets; nothing happens when there is none. */
async function removeRun(dir: string): Promise<void> {
  const secrets = await readlink(join(dir, 'secrets')).catch(() => null);
  const known = [join(memory, prefix), join(tmpdir(), prefix)];
  if (secrets && known.some((start) => secrets.startsWith(start))) {
    await rm(secrets, { recursive: true, force: true });
  }
  await rm(dir, { recursive: true, force: true, maxRetries: 3 });
}

/** Removes what a server that is gone left behind. */
export async function removeAllWorkspaces(config: Config): Promise<void> {
  const names = await readdir(runsOf(config)).catch(() => []);
  for (const name of names) await removeRun(join(runsOf(config), name));
}
