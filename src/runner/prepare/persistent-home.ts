// The home folder that runs of a project share, if the project keeps one: files that their programs write into HOME
// remain for later runs. The runner's own files for a run, and git and ansible-galaxy while they have the key of a
// repository, use the home folder of the run itself, which is removed with it.

import { chmod, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { runTool } from '../programs/process.ts';
import type { RunnerConfig } from '../config/runner-config.ts';
import { isFull } from '../../node/fs/disk-space.ts';
import { runExclusive } from '../../node/async/keyed-mutex.ts';
import { giveFolder, isTaken } from '../workspace/run-users.ts';
import { listRunFolders, writeAnew, type Workspace } from '../workspace/workspace.ts';
import { markUsed, unusedMs } from './caches.ts';

/** The parts of a run that decide on its home folder. */
export interface HomeUse {
  ctx: { config: RunnerConfig };
  task: { project_id: number; snapshot: { keepHome?: boolean } };
  workspace: Pick<Workspace, 'dir' | 'home' | 'user' | 'isAlone' | 'ownPath'>;
  say: (line: string) => Promise<void>;
}

const homesOf = ({ dataDir }: Pick<RunnerConfig, 'dataDir'>): string => join(dataDir, 'homes');

export const homeOf = (config: Pick<RunnerConfig, 'dataDir'>, projectId: number | string): string =>
  join(homesOf(config), String(projectId));

/** The ids of projects with a kept home folder, by the names of the folders. */
export const listHomes = (config: Pick<RunnerConfig, 'dataDir'>): Promise<string[]> =>
  readdir(homesOf(config)).catch(() => []);

/** The file in the folder of a run with the id of the project whose home the run uses, or `own`. */
const useFile = (dir: string): string => join(dir, 'kept-home');
const ownHome = 'own';

const useOf = (dir: string): Promise<string | null> =>
  readFile(useFile(dir), 'utf8').catch(() => null);

/** The folders of the runs that use the home folder of a project, also of parked ones. */
async function usersOf(config: RunnerConfig, project: number | string): Promise<string[]> {
  const dirs = await listRunFolders(config);
  const uses = await Promise.all(dirs.map(useOf));
  return dirs.filter((_, index) => uses[index] === String(project));
}

/** The kept home folder of the run's programs; null: their home is removed with the run. */
export function keptHome(use: HomeUse): Promise<string | null> {
  const { ctx, task } = use;
  if (!task.snapshot.keepHome) return Promise.resolve(null);
  const folder = homeOf(ctx.config, task.project_id);
  return runExclusive(folder, () => take(use, folder));
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
  // Only at the beginning of the run: later steps may need what earlier ones have written.
  if (before === null) await emptyIfLarge(use, folder);
  await markUsed(folder);
  const { user } = workspace;
  if (user && (await stat(folder)).uid !== user.uid) await giveFolder(folder, user);
  // Programs of earlier runs may have changed it.
  await chmod(folder, 0o700);
  return folder;
}

/** Why this run cannot use the kept home, as a line of its log; null: it can. */
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

/** The disk usage of a folder in bytes; links are not followed. */
async function sizeOf(folder: string): Promise<number> {
  const { stdout } = await tool('du', ['-skx', '--', folder]);
  return Number(/^\d+/.exec(stdout)?.[0] ?? 0) * 1024;
}

const tool = (command: string, args: string[]) =>
  runTool({ command, args, cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' } });

/** Removes a home folder, also with read-only folders in it. */
async function removeHome(folder: string): Promise<void> {
  const remove = () => rm(folder, { recursive: true, force: true });
  await remove().catch(async () => {
    await tool('chmod', ['-R', 'u+rwX', '--', folder]);
    await remove();
  });
}

/**
 * The variables by which programs of the run find the kept home, and do not store temporary files in it. The
 * sockets of Ansible's connections are authenticated with a key of this run, so they are never shared. The path
 * of a Unix socket is limited to about 100 bytes, so these folders are short ones.
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

/** Calls `remove` for the home folders that no run uses and that `isOld` selects. */
export async function removeHomes(
  config: RunnerConfig,
  isOld: (home: { project: string; usedMs: number }) => boolean,
  remove: (folder: string, project: string) => Promise<void> = removeHome,
): Promise<void> {
  for (const project of await listHomes(config)) {
    const folder = homeOf(config, project);
    await runExclusive(folder, async () => {
      const found = await stat(folder).catch(() => null);
      if (!found || !isOld({ project, usedMs: found.mtimeMs })) return;
      if ((await usersOf(config, project)).length === 0) await remove(folder, project);
    });
  }
}

/** Removes the home folders that were unused for a month. */
export function sweepHomes(config: RunnerConfig): Promise<void> {
  const oldest = Date.now() - unusedMs;
  return removeHomes(config, ({ usedMs }) => usedMs < oldest);
}

/** If the disk is full, removes all home folders that no run uses; true: it was full. */
export async function makeRoom(config: RunnerConfig): Promise<boolean> {
  if ((await listHomes(config)).length === 0 || !isFull(config)) return false;
  await removeHomes(config, () => true);
  return true;
}
