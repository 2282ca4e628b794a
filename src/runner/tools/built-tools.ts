// The programs of packages that this runner installs once for each list and keeps. Layout of an entry in the cache:
//   build-…    an environment of Python; its name is new for each build, since a process that survived its runner may
//              still write into an older one
//   complete   the name of the folder that is used, written when everything is in it
//   build.log  what the last build printed

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ExecutionSnapshot } from '#shared/api/execution-environments.ts';
import { readSmallFile } from '../../node/fs/small-file.ts';
import { isInstalled } from '../../node/process/installed-programs.ts';
import { folderLocksOf } from '../config/folder-locks.ts';
import { cacheFolder } from '../prepare/caches.ts';
import type { FilePreparation } from '../prepare/prepare.ts';
import { asServer, giveFolder } from '../workspace/run-users.ts';
import { writeAnew } from '../workspace/workspace.ts';
import { findPython, type Python } from './find-python.ts';
import { installPackages, type Installer } from './install-packages.ts';
import { titleOf, type Tools } from './tools.ts';

/** What the packages of an execution environment are installed with. */
interface BuildPlan {
  python: Python;
  installer: Installer;
  /** The entry of the cache. */
  folder: string;
}

export async function builtTools(
  preparation: FilePreparation,
  wanted: ExecutionSnapshot,
): Promise<Tools> {
  const { ctx, say, signal } = preparation;
  const python = await findPython(preparation, wanted);
  const installer = isInstalled(ctx.config, 'uv') ? 'uv' : 'pip';
  const packages = [...new Set(wanted.packages)].toSorted();
  const parts = [packages, python.version, python.path, wanted.index_url, installer];
  const hash = createHash('sha256').update(JSON.stringify(parts));
  const folder = cacheFolder(ctx.config, 'environments', hash);
  const plan = { python, installer, folder } as const;
  const kept = completeIn(folder);
  if (kept !== null) {
    await say(`${titleOf(wanted)}: Python ${python.version}, packages are installed already`);
    return toolsIn(kept, folder);
  }
  const locks = folderLocksOf(ctx.config);
  if (locks.isLocked(folder)) {
    await say(`${titleOf(wanted)}: waiting for another task, which installs its packages`);
  }
  const begin = () => buildOnce(preparation, wanted, plan);
  return toolsIn(await locks.runExclusive(folder, begin, signal), folder);
}

const toolsIn = (environment: string, folder: string): Tools => ({
  bin: join(environment, 'bin'),
  environment,
  cached: folder,
  identity: folder,
});

const markOf = (folder: string): string => join(folder, 'complete');

/** The environment that a build has completed; null: none. */
function completeIn(folder: string): string | null {
  const name = readSmallFile(markOf(folder))?.trim();
  if (!name) return null;
  const environment = join(folder, name);
  // A link to the Python behind it, which may have been removed.
  return existsSync(join(environment, 'bin/python')) ? environment : null;
}

async function buildOnce(
  preparation: FilePreparation,
  wanted: ExecutionSnapshot,
  plan: BuildPlan,
): Promise<string> {
  const built = completeIn(plan.folder);
  if (built === null) return build(preparation, wanted, plan);
  await preparation.say(`${titleOf(wanted)}: packages are installed`);
  return built;
}

async function build(
  preparation: FilePreparation,
  wanted: ExecutionSnapshot,
  { python, installer, folder }: BuildPlan,
): Promise<string> {
  const { workspace, say } = preparation;
  const { user } = workspace;
  await say(
    `${titleOf(wanted)}: installing its packages with ${installer} and Python ${python.version} (${python.path})`,
  );
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
  await mkdir(folder, { recursive: true });
  await removeBuilds(folder);
  const draft = await mkdtemp(join(folder, 'build-'));
  const home = await mkdtemp(join(workspace.dir, 'build-'));
  try {
    // Set explicitly, whatever the umask is, because all users of tasks read these folders.
    for (const path of [folder, draft]) await chmod(path, 0o755);
    if (user) for (const path of [draft, home]) await giveFolder(path, user);
    const log = join(folder, 'build.log');
    await installPackages(preparation, wanted, { python, installer, folder: draft, home, log });
    if (user) await keepForAll(draft);
    await complete(folder, draft);
    await say(`${titleOf(wanted)}: packages are installed`);
    return draft;
  } catch (error) {
    await rm(draft, { recursive: true, force: true }).catch(() => undefined);
    throw error;
  } finally {
    await rm(home, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** From now on only the runner may change the folder, and every user may read it. */
async function keepForAll(folder: string): Promise<void> {
  await giveFolder(folder, null);
  await asServer('chmod', ['-R', 'go-w,a+rX', '--', folder]);
}

/** The mark is never incomplete itself: a runner may end at any time. */
async function complete(folder: string, draft: string): Promise<void> {
  const mark = markOf(folder);
  await writeAnew(`${mark}.new`, draft.slice(folder.length + 1), 0o644);
  await rename(`${mark}.new`, mark);
}

/** Removes what builds have left that were killed. What a process still writes is left to the next build. */
async function removeBuilds(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith('build-'));
  for (const name of names) {
    await rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined);
  }
}
