// Creates and removes the private folder of a run. Its secrets are on a file system in memory. If the programs run as
// another user, both folders belong to the runner, so that no entry can be replaced by a link, and only the files
// below them belong to that user.

import { createHash } from 'node:crypto';
import {
  chmod,
  chown,
  lchown,
  mkdir,
  mkdtemp,
  readdir,
  realpath,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { RunnerConfig } from '../config/runner-config.ts';
import { readSmallFile } from '../../node/fs/small-file.ts';
import { isPool, type RunUser } from '../../node/process/run-users.ts';
import { asServer, giveFolder } from './run-users.ts';

export interface Workspace {
  dir: string;
  /** The unique name of the run, which is in the environment of its processes. */
  mark: string;
  /** The files of the repository, made by the checkout. */
  checkout: string;
  /** HOME of the programs, unless the project keeps one for later runs. */
  home: string;
  /** The user of the programs; null: the user of the runner. */
  user: RunUser | null;
  /** Whether no other run has this user, so that all of the user's processes belong to this run. */
  isAlone: boolean;
  /** Writes a file in memory that only the run's user can read; returns its path. */
  writeSecret: (name: string, text: string) => Promise<string>;
  secretPath: (name: string) => string;
  /** A path in memory for files of the programs, short enough for a Unix socket. */
  ownPath: (name: string) => string;
  /** Makes a user the owner of the files of the run, or with null the runner. */
  give: (user: RunUser | null) => Promise<void>;
  remove: () => Promise<void>;
}

/** The real path of the checkout, which Ansible prints. */
export const realCheckout = ({ checkout }: Pick<Workspace, 'checkout'>): Promise<string> =>
  realpath(checkout).catch(() => checkout);

/** Writes a file of a run. An existing file is replaced, and no link is followed. */
export async function writeAnew(path: string, text: string, mode: number): Promise<void> {
  const write = (): Promise<void> => writeFile(path, text, { mode, flag: 'wx' });
  await write().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    await rm(path, { force: true });
    await write();
  });
}

export const progressFile = (folder: string): string => join(folder, 'progress');

export const outputsFile = ({ ownPath }: Pick<Workspace, 'ownPath'>): string => ownPath('outputs');

const memory = '/dev/shm';
const prefix = 'sbx-';
const runsOf = ({ dataDir }: Pick<RunnerConfig, 'dataDir'>): string => join(dataDir, 'runs');

/** Creates the folder of a run. Its name is unique, so that files of an earlier attempt cannot interfere. */
export async function makeWorkspace(
  config: RunnerConfig,
  taskId: number,
  user: RunUser | null = null,
): Promise<Workspace> {
  await mkdir(runsOf(config), { recursive: true, mode: 0o700 });
  const dir = await mkdtemp(join(runsOf(config), `${taskId}-`));
  await mkdir(join(dir, 'home'), { mode: 0o700 });
  const installation = installationOf(config.dataDir);
  if (installation !== null) await writeFile(join(dir, installationFile), installation);
  const secrets = await makeSecretFolder(dir);
  const owner = { user, isAlone: user !== null && isPool(config.runAs) };
  const workspace = workspaceIn(dir, secrets, owner);
  await writeFile(outputsFile(workspace), '', { mode: 0o600, flag: 'wx' });
  if (user === null) return workspace;
  await mkdir(join(dir, 'home', 'tmp'), { mode: 0o700 });
  await writeFile(progressFile(dir), '', { mode: 0o600, flag: 'wx' });
  await workspace.give(user);
  return workspace;
}

/** The file in a run's folder with the user of its programs. */
const userFile = 'user';

type Owner = Pick<Workspace, 'user' | 'isAlone'>;

export function ownerOf(dir: string): Owner {
  const text = readSmallFile(join(dir, userFile));
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
  // Done last: until now only the runner had access. The user only has to pass through these folders.
  if (user) for (const folder of [dir, secrets]) await chmod(folder, 0o710);
}

/** Whether a folder is that of an attempt to start the command of a step. */
export const isStep = (name: string): boolean => name.startsWith('step-');

export function makeStep({ dir }: Workspace, step: number): Promise<string> {
  return mkdtemp(join(dir, `step-${step}-`));
}

/** The folders of the attempts at a step. */
export async function listTries({ dir }: Workspace, step: number): Promise<string[]> {
  const names = await readdir(dir);
  return names.filter((name) => name.startsWith(`step-${step}-`)).map((name) => join(dir, name));
}

/** The folders of the attempts at all steps. */
export async function listSteps({ dir }: Workspace): Promise<string[]> {
  return (await readdir(dir)).filter(isStep).map((name) => join(dir, name));
}

/** The existing workspace of a task, maybe of an earlier runner; null: none. */
export async function findWorkspace(
  config: RunnerConfig,
  taskId: number,
): Promise<Workspace | null> {
  const names = await listRuns(config);
  const name = names.find((entry) => taskOf(entry) === taskId && isOurs(config, entry));
  if (name === undefined) return null;
  const dir = join(runsOf(config), name);
  const [inMemory, onDisk] = secretFolders(dir);
  const isInMemory = await stat(inMemory).catch(() => null);
  return workspaceIn(dir, isInMemory ? inMemory : onDisk, ownerOf(dir));
}

/** The file with the id of the installation, in the data folder and in each run's folder. */
const installationFile = 'installation';
const installationOf = (folder: string): string | null =>
  readSmallFile(join(folder, installationFile));

/** Another installation with this data folder may have a task with the same id. */
function isOurs(config: RunnerConfig, name: string): boolean {
  const own = installationOf(join(runsOf(config), name));
  return own === null || own === installationOf(config.dataDir);
}

const listRuns = (config: RunnerConfig): Promise<string[]> =>
  readdir(runsOf(config)).catch(() => []);

/** The folders of all runs, also of parked ones. */
export const listRunFolders = async (config: RunnerConfig): Promise<string[]> =>
  (await listRuns(config)).map((name) => join(runsOf(config), name));

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

/** The folder among the secrets that is writable for programs. */
const own = 'own';

/** The file of all masked texts, which no program may read. */
export const serversOwn = 'known.json';

/** Folders for the secrets of a run. Their name is a hash of the run's, so that they are found after a crash. */
function secretFolders(dir: string): [inMemory: string, onDisk: string] {
  const name = secretFolderName(basename(dir));
  return [join(memory, name), join(tmpdir(), name)];
}

/** The name of the folder with the secrets and sockets of a run. */
export const secretFolderName = (mark: string): string =>
  prefix + createHash('sha256').update(mark).digest('hex').slice(0, 16);

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
    // Systems such as macOS have no file system in memory.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return make(onDisk);
  }
}

async function removeRun(dir: string): Promise<void> {
  const { user } = ownerOf(dir);
  if (user) {
    // `rm` follows no links, which programs of the run may create meanwhile.
    await asServer('rm', ['-rf', '--', ...secretFolders(dir), dir]);
    return;
  }
  for (const secrets of secretFolders(dir)) await rm(secrets, { recursive: true, force: true });
  await rm(dir, { recursive: true, force: true, maxRetries: 3 });
}

/** The workspaces of other tasks, which crashes have left. */
export async function findStrayWorkspaces(
  config: RunnerConfig,
  taskIds: number[],
): Promise<Workspace[]> {
  const names = await listRuns(config);
  const stray = names.filter((name) => !taskIds.includes(taskOf(name)) || !isOurs(config, name));
  const dirs = stray.map((name) => join(runsOf(config), name));
  return dirs.map((dir) => workspaceIn(dir, '', ownerOf(dir)));
}

// Placement of the folders of runs on ext4, which puts a new folder into the block group of its parent, and skips inodes
// that were freed in the last minutes. A task creates and removes about twenty files, so each of a hundred tasks would
// take longer than the one before it.

/**
 * Marks the folder of all runs as the top of unrelated trees, chattr(1), which ext4 spreads over its groups. Other file
 * systems neither have nor need this.
 */
export async function spreadRuns(config: Pick<RunnerConfig, 'dataDir'>): Promise<void> {
  const folder = runsOf(config);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await asServer('chattr', ['+T', folder]).catch(() => undefined);
}
