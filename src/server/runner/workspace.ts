// The private folder of a run: made, filled, removed. Secrets lie on a memory file system.

import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Config } from '../config.ts';

export interface Workspace {
  dir: string;
  /** Name of the run, unlike that of any other; its processes carry it. */
  mark: string;
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

/** Writes a file of a run: what an earlier try has left is replaced, and a link not followed. */
export async function writeAnew(path: string, text: string, mode: number): Promise<void> {
  await rm(path, { force: true });
  await writeFile(path, text, { mode, flag: 'wx' });
}

const memory = '/dev/shm';
const prefix = 'sbx-';
const runsOf = (config: Config): string => join(config.dataDir, 'runs');

/** Each try to run a task has a folder of its own name: what is left of one disturbs no other. */
export async function makeWorkspace(config: Config, taskId: number): Promise<Workspace> {
  await mkdir(runsOf(config), { recursive: true, mode: 0o700 });
  const dir = await mkdtemp(join(runsOf(config), `${taskId}-`));
  await mkdir(join(dir, 'home'), { mode: 0o700 });
  const secrets = await makeSecretFolder(dir);
  return workspaceIn(dir, secrets);
}

/** Each command of a run, and each try to start it, has a folder of its own in the run's. */
export const isStep = (name: string): boolean => name.startsWith('step-');

export function makeStep({ dir }: Workspace, step: number): Promise<string> {
  return mkdtemp(join(dir, `step-${step}-`));
}

/** The folders of the tries to start a command. */
export async function listTries({ dir }: Workspace, step: number): Promise<string[]> {
  const names = await readdir(dir);
  return names.filter((name) => name.startsWith(`step-${step}-`)).map((name) => join(dir, name));
}

/** What an earlier server made for a task; null: nothing. */
export async function findWorkspace(config: Config, taskId: number): Promise<Workspace | null> {
  const names = await listRuns(config);
  const name = names.find((entry) => taskOf(entry) === taskId);
  if (name === undefined) return null;
  const dir = join(runsOf(config), name);
  const [inMemory, onDisk] = secretFolders(dir);
  const isInMemory = await stat(inMemory).catch(() => null);
  return workspaceIn(dir, isInMemory ? inMemory : onDisk);
}

const listRuns = (config: Config): Promise<string[]> => readdir(runsOf(config)).catch(() => []);
const taskOf = (name: string): number => Number(name.split('-')[0]);

function workspaceIn(dir: string, secrets: string): Workspace {
  const secretPath = (name: string): string => join(secrets, name);
  return {
    dir,
    mark: basename(dir),
    checkout: join(dir, 'checkout'),
    home: join(dir, 'home'),
    secretPath,
    async writeSecret(name, text) {
      await writeAnew(secretPath(name), text, 0o600);
      return secretPath(name);
    },
    remove: () => removeRun(dir),
  };
}

/**
 * Where the secrets of a run lie. The name follows from that of the run's folder, which nobody
 * can guess, so that whoever cleans up after a crash finds them at any moment.
 */
function secretFolders(dir: string): [inMemory: string, onDisk: string] {
  const name = prefix + createHash('sha256').update(basename(dir)).digest('hex').slice(0, 16);
  return [join(memory, name), join(tmpdir(), name)];
}

async function makeSecretFolder(dir: string): Promise<string> {
  const [inMemory, onDisk] = secretFolders(dir);
  try {
    await mkdir(inMemory, { mode: 0o700 });
    return inMemory;
  } catch (error) {
    // No memory file system here, as on macOS.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    await mkdir(onDisk, { mode: 0o700 });
    return onDisk;
  }
}

/** Removes a run's folder with its secrets; nothing happens when there is none. */
async function removeRun(dir: string): Promise<void> {
  for (const secrets of secretFolders(dir)) await rm(secrets, { recursive: true, force: true });
  await rm(dir, { recursive: true, force: true, maxRetries: 3 });
}

/** The workspaces that belong to none of these tasks: what crashes left behind. */
export async function findStrayWorkspaces(config: Config, taskIds: number[]): Promise<Workspace[]> {
  const names = await listRuns(config);
  const stray = names.filter((name) => !taskIds.includes(taskOf(name)));
  return stray.map((name) => workspaceIn(join(runsOf(config), name), ''));
}
