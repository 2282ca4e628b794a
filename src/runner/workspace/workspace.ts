// The private folder of a run: made, filled, removed. Secrets lie on a memory file system.
// Where programs run as another user, this folder and that of the secrets stay the server's own, so
// that nothing in them can be replaced by a link; only what lies below them belongs to that user.

import { createHash } from 'node:crypto';
import {
  chmod,
  chown,
  lchown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { RunnerConfig } from '../system/config.ts';
import { isPool, type RunUser } from '../system/run-as.ts';
import { asServer, giveFolder } from './run-users.ts';

export interface Workspace {
  dir: string;
  /** Name of the run, unlike that of any other; its processes carry it. */
  mark: string;
  /** The files of the repository, made by the checkout. */
  checkout: string;
  /** HOME of the programs. */
  home: string;
  /** Who runs its programs; null: the user of the server. */
  user: RunUser | null;
  /** Whether no other run has this user, so that all of its processes are of this run. */
  isAlone: boolean;
  /** Writes a file that only we can read, in memory; answers its path. */
  writeSecret: (name: string, text: string) => Promise<string>;
  /** Where a secret lies. */
  secretPath: (name: string) => string;
  /** A path in memory for what programs write themselves, short enough for a socket. */
  ownPath: (name: string) => string;
  /** Gives all of it to a user, or back to the server, whom alone it belongs to then. */
  give: (user: RunUser | null) => Promise<void>;
  remove: () => Promise<void>;
}

/** Writes a file of a run: what an earlier try has left is replaced, and a link not followed. */
export async function writeAnew(path: string, text: string, mode: number): Promise<void> {
  await rm(path, { force: true });
  await writeFile(path, text, { mode, flag: 'wx' });
}

/** What a program tells of its progress. */
export const progressFile = (folder: string): string => join(folder, 'progress');

const memory = '/dev/shm';
const prefix = 'sbx-';
const runsOf = (config: RunnerConfig): string => join(config.dataDir, 'runs');

/** Each try to run a task has a folder of its own name: what is left of one disturbs no other. */
export async function makeWorkspace(
  config: RunnerConfig,
  taskId: number,
  user: RunUser | null = null,
): Promise<Workspace> {
  await mkdir(runsOf(config), { recursive: true, mode: 0o700 });
  const dir = await mkdtemp(join(runsOf(config), `${taskId}-`));
  await mkdir(join(dir, 'home'), { mode: 0o700 });
  const secrets = await makeSecretFolder(dir);
  const owner = { user, isAlone: user !== null && isPool(config.runAs) };
  const workspace = workspaceIn(dir, secrets, owner);
  if (user === null) return workspace;
  await mkdir(join(dir, 'home', 'tmp'), { mode: 0o700 });
  await writeFile(progressFile(dir), '', { mode: 0o600, flag: 'wx' });
  await workspace.give(user);
  return workspace;
}

/** File of a run's folder that says who its programs run as. */
const userFile = 'user';

interface Owner {
  user: RunUser | null;
  isAlone: boolean;
}

/** Who the programs of a run run as. */
export async function ownerOf(dir: string): Promise<Owner> {
  const text = await readFile(join(dir, userFile), 'utf8').catch(() => null);
  return text === null ? { user: null, isAlone: false } : (JSON.parse(text) as Owner);
}

const ofPrograms = ['home', 'checkout', 'inventory', 'progress'];

async function giveRun(dir: string, secrets: string, owner: Owner): Promise<void> {
  const { user } = owner;
  const [uid, gid] = [user?.uid ?? 0, user?.gid ?? 0];
  for (const folder of [dir, secrets]) {
    await chown(folder, 0, gid);
    await chmod(folder, 0o700);
  }
  for (const name of ofPrograms) {
    const path = join(dir, name);
    if (await stat(path).catch(() => null)) await giveFolder(path, user);
  }
  await giveFolder(join(secrets, own), user);
  for (const name of await readdir(secrets)) {
    if (name !== own && name !== serversOwn) await lchown(join(secrets, name), uid, gid);
  }
  await writeAnew(join(dir, userFile), JSON.stringify(owner), 0o600);
  // Last: until now nobody but the server could get in. Passing through is all that is needed.
  if (user) for (const folder of [dir, secrets]) await chmod(folder, 0o710);
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

/** The folders of all its steps. */
export async function listSteps({ dir }: Workspace): Promise<string[]> {
  return (await readdir(dir)).filter(isStep).map((name) => join(dir, name));
}

/** What an earlier server made for a task; null: nothing. */
export async function findWorkspace(
  config: RunnerConfig,
  taskId: number,
): Promise<Workspace | null> {
  const names = await listRuns(config);
  const name = names.find((entry) => taskOf(entry) === taskId);
  if (name === undefined) return null;
  const dir = join(runsOf(config), name);
  const [inMemory, onDisk] = secretFolders(dir);
  const isInMemory = await stat(inMemory).catch(() => null);
  return workspaceIn(dir, isInMemory ? inMemory : onDisk, await ownerOf(dir));
}

const listRuns = (config: RunnerConfig): Promise<string[]> =>
  readdir(runsOf(config)).catch(() => []);
const taskOf = (name: string): number => Number(name.split('-')[0]);

function workspaceIn(dir: string, secrets: string, owner: Owner): Workspace {
  const secretPath = (name: string): string => join(secrets, name);
  const workspace: Workspace = {
    dir,
    ...owner,
    mark: basename(dir),
    checkout: join(dir, 'checkout'),
    home: join(dir, 'home'),
    secretPath,
    ownPath: (name) => join(secrets, own, name),
    async writeSecret(name, text) {
      const path = secretPath(name);
      await writeAnew(path, text, 0o600);
      const { user } = workspace;
      if (user && name !== serversOwn) await lchown(path, user.uid, user.gid);
      return path;
    },
    async give(user) {
      await giveRun(dir, secrets, { ...owner, user });
      workspace.user = user;
    },
    remove: () => removeRun(dir),
  };
  return workspace;
}

/** Folder among the secrets into which programs write. */
const own = 'own';

/** The secret that no program reads: all that is hidden in the log. */
export const serversOwn = 'known.json';

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
  const make = async (folder: string): Promise<string> => {
    await mkdir(folder, { mode: 0o700 });
    await mkdir(join(folder, own), { mode: 0o700 });
    return folder;
  };
  try {
    return await make(inMemory);
  } catch (error) {
    // No memory file system here, as on macOS.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return make(onDisk);
  }
}

/** Removes a run's folder with its secrets; nothing happens when there is none. */
async function removeRun(dir: string): Promise<void> {
  const { user } = await ownerOf(dir);
  if (user) {
    // Its own programs may have made what leads elsewhere; this `rm` cannot be led.
    await asServer('rm', ['-rf', '--', ...secretFolders(dir), dir]);
    return;
  }
  for (const secrets of secretFolders(dir)) await rm(secrets, { recursive: true, force: true });
  await rm(dir, { recursive: true, force: true, maxRetries: 3 });
}

/** The workspaces that belong to none of these tasks: what crashes left behind. */
export async function findStrayWorkspaces(
  config: RunnerConfig,
  taskIds: number[],
): Promise<Workspace[]> {
  const names = await listRuns(config);
  const stray = names.filter((name) => !taskIds.includes(taskOf(name)));
  const dirs = stray.map((name) => join(runsOf(config), name));
  return Promise.all(dirs.map(async (dir) => workspaceIn(dir, '', await ownerOf(dir))));
}
