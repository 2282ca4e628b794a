// The home folder that runs of a project share, where the project keeps one: what their programs write
// into HOME is there for later runs. Files that we write for a run, and git and ansible-galaxy while they
// have the key of a repository, use the home folder of the run itself, which is removed with it.

import { chmod, lstat, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { runTool } from '../programs/process.ts';
import type { RunnerConfig } from '../config/runner-config.ts';
import { isFull } from '../../node/fs/disk-space.ts';
import type { RunUser } from '../../node/process/run-users.ts';
import { folderLocksOf } from '../config/folder-locks.ts';
import { giveFolder, isTaken } from '../workspace/run-users.ts';
import { listRunFolders, writeAnew, type Workspace } from '../workspace/workspace.ts';
import { markUsed, unusedMs } from './caches.ts';

/** What of a run decides on its home folder. */
export interface HomeUse {
  ctx: { config: RunnerConfig };
  task: { project_id: number; snapshot: { keepHome?: boolean } };
  workspace: Pick<Workspace, 'dir' | 'home' | 'user' | 'isAlone' | 'ownPath'>;
  say: (line: string) => Promise<void>;
}

const homesOf = ({ dataDir }: Pick<RunnerConfig, 'dataDir'>): string => join(dataDir, 'homes');

export const homeOf = (config: Pick<RunnerConfig, 'dataDir'>, projectId: number | string): string =>
  join(homesOf(config), String(projectId));

/** The projects of which a home folder is kept here, by the names of the folders. */
export const listHomes = (config: Pick<RunnerConfig, 'dataDir'>): Promise<string[]> =>
  readdir(homesOf(config)).catch(() => []);

/** The file in the folder of a run that names the project whose home the run uses, or says `own`. */
const useFile = (dir: string): string => join(dir, 'kept-home');
const ownHome = 'own';

const useOf = (dir: string): Promise<string | null> =>
  readFile(useFile(dir), 'utf8').catch(() => null);

/** The folders of the runs that use the home folder of a project, parked ones too. */
async function usersOf(config: RunnerConfig, project: number | string): Promise<string[]> {
  const dirs = await listRunFolders(config);
  const uses = await Promise.all(dirs.map(useOf));
  return dirs.filter((_, index) => uses[index] === String(project));
}

/** The kept home folder of the run's programs; null: they have one that is removed with the run. */
export function keptHome(use: HomeUse): Promise<string | null> {
  const { ctx, task } = use;
  if (!task.snapshot.keepHome) return Promise.resolve(null);
  const folder = homeOf(ctx.config, task.project_id);
  return folderLocksOf(ctx.config).runExclusive(folder, () => take(use, folder));
}

async function take(use: HomeUse, folder: string): Promise<string | null> {
  const { task, workspace, say } = use;
  const before = await useOf(workspace.dir);
  if (before === ownHome) return null;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const without = await reasonWithout(use, folder);
  await writeAnew(useFile(workspace.dir), without ? ownHome : String(task.project_id), 0o600);
  if (without) {
    await say(without);
    return null;
  }
  // Only when the run begins: later steps may need what earlier ones have written.
  if (before === null) await emptyIfLarge(use, folder);
  await markUsed(folder);
  const { user } = workspace;
  if (user && (await stat(folder)).uid !== user.uid) await giveFolder(folder, user);
  // Set explicitly, because programs of earlier runs may have changed it.
  await chmod(folder, 0o700);
  return folder;
}

/** Why this run has to do without the kept home, as its log says it; null: it can have it. */
async function reasonWithout(
  { ctx, workspace: { user, isAlone } }: HomeUse,
  folder: string,
): Promise<string | null> {
  if (!user) return null;
  // One user for all tasks could read the homes of all projects.
  if (!isAlone) {
    return 'The home folder is not kept: SIGNALBOX_RUN_AS names a single user, who runs the tasks of all projects.';
  }
  const { uid } = await stat(folder);
  if (uid === user.uid || !isTaken(ctx.config, uid)) return null;
  return "Another task uses the project's home folder, so this task begins with an empty one, which is not kept.";
}

/** Empties the folder when it is too large, unless another run uses it. */
async function emptyIfLarge({ ctx, task, say }: HomeUse, folder: string): Promise<void> {
  const { config } = ctx;
  const { keptHomeBytes } = config;
  if (keptHomeBytes === 0 || (await sizeOf(folder)) <= keptHomeBytes) return;
  const most = `SIGNALBOX_KEEP_HOME_BYTES (${keptHomeBytes})`;
  if ((await usersOf(config, task.project_id)).length > 1) {
    await say(
      `The project's home folder is larger than ${most}. It is emptied when a task begins while no other uses it.`,
    );
    return;
  }
  await say(`The project's home folder is larger than ${most}, so it begins empty.`);
  await removeHome(folder);
  await mkdir(folder, { mode: 0o700 });
}

/** The bytes on the disk of a folder with all that is in it; links are not followed. */
async function sizeOf(folder: string): Promise<number> {
  const { stdout } = await tool('du', ['-skx', '--', folder]);
  return Number(/^\d+/.exec(stdout)?.[0] ?? 0) * 1024;
}

const tool = (command: string, args: string[]) =>
  runTool({ command, args, cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' } });

/** Removes a home folder. Some programs keep folders there in which nothing can be removed as they are. */
async function removeHome(folder: string): Promise<void> {
  const remove = () => rm(folder, { recursive: true, force: true });
  await remove().catch(async () => {
    await tool('chmod', ['-R', 'u+rwX', '--', folder]);
    await remove();
  });
}

/**
 * The variables with which programs of the run find the kept home, and keep temporary files out of it.
 * The sockets of Ansible's connections lead to hosts on which somebody has signed in with a key of this
 * run. Their paths have to be short: a path of more than about 90 bytes is none for a socket of ssh, and
 * the folder of the run may lie deep.
 */
export async function homeVariables(use: HomeUse): Promise<Record<string, string>> {
  const { home, ownPath } = use.workspace;
  const sockets = {
    ANSIBLE_SSH_CONTROL_PATH_DIR: ownPath('cp'),
    ANSIBLE_PERSISTENT_CONTROL_PATH_DIR: ownPath('pc'),
  };
  const kept = await keptHome(use);
  if (kept === null) return sockets;
  // Ansible writes decrypted files into this folder.
  return { HOME: kept, ANSIBLE_LOCAL_TEMP: join(home, '.ansible', 'tmp'), ...sockets };
}

/** Gives the folder back to the runner after a run, because the user's next task may be another project's. */
export async function takeHomeBack(
  config: RunnerConfig,
  { project_id: projectId }: { project_id: number },
  user: RunUser,
): Promise<void> {
  const folder = homeOf(config, projectId);
  const owner = (await lstat(folder).catch(() => null))?.uid;
  if (owner === user.uid) await giveFolder(folder, null);
}

/**
 * Removes the home folders that no run uses, of the projects or of the last use that are asked for, or
 * does something else with them.
 */
export async function removeHomes(
  config: RunnerConfig,
  isOld: (home: { project: string; usedMs: number }) => boolean,
  remove: (folder: string, project: string) => Promise<void> = removeHome,
): Promise<void> {
  for (const project of await listHomes(config)) {
    const folder = homeOf(config, project);
    await folderLocksOf(config).runExclusive(folder, async () => {
      const found = await stat(folder).catch(() => null);
      if (!found || !isOld({ project, usedMs: found.mtimeMs })) return;
      if ((await usersOf(config, project)).length === 0) await remove(folder, project);
    });
  }
}

/** Removes the home folders that no run has used for a month. */
export function sweepHomes(config: RunnerConfig): Promise<void> {
  const oldest = Date.now() - unusedMs;
  return removeHomes(config, ({ usedMs }) => usedMs < oldest);
}

/** Removes all home folders that no run uses, when the disk is full; true: it was. */
export async function makeRoom(config: RunnerConfig): Promise<boolean> {
  if ((await listHomes(config)).length === 0 || !isFull(config)) return false;
  await removeHomes(config, () => true);
  return true;
}
