// Keeps the facts of hosts between the runs of a project, where Ansible is configured to cache them in files.
// Each project has its own folder, which only the user of its run may read.

import { chmod, lstat, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Preparation } from '../prepare/prepare.ts';
import { factsFolder, markUsed } from '../prepare/caches.ts';
import { giveFolder, isTaken } from '../workspace/run-users.ts';

/** A larger cache is emptied. */
const MAX_FACT_BYTES = 256 * 1024 * 1024;

export interface FactCaching {
  plugin: string | null;
  /** The folder of a plugin that stores facts in files. */
  connection: string | null;
}

const filePlugins =
  /^(?:ansible\.(?:builtin|legacy)\.|community\.general\.)?(?:jsonfile|yaml|pickle)$/;

/**
 * Whether facts are cached in files that would not outlive the run, or that tasks of other projects would
 * share. Any other configured folder stays in use.
 */
export function keepsFacts({ plugin, connection }: FactCaching): boolean {
  if (plugin === null || !filePlugins.test(plugin)) return false;
  return (
    connection === null || !connection.startsWith('/') || /^\/(?:var\/)?tmp\//.test(connection)
  );
}

/** The variables by which Ansible finds the cached facts of the project. */
export async function factVariables(
  preparation: Preparation,
  caching: FactCaching,
): Promise<Record<string, string>> {
  const folder = keepsFacts(caching) ? await ownFacts(preparation) : null;
  if (folder !== null) preparation.execution.share(folder, 'write');
  return folder === null ? {} : { ANSIBLE_CACHE_PLUGIN_CONNECTION: folder };
}

/**
 * Gives the folder of the project's facts to the user of this run; null: another run uses it. Facts are cached
 * by host name, so inventories of a project that give different hosts the same name share them.
 */
async function ownFacts(preparation: Preparation): Promise<string | null> {
  const { ctx, task, workspace, say } = preparation;
  const { user, isAlone } = workspace;
  const folder = factsFolder(ctx.config, task.project_id);
  // One user for all tasks could read the facts of all projects.
  if (user && !isAlone) return null;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { uid } = await stat(folder);
  if (user && uid !== user.uid && isTaken(ctx.config, uid)) {
    await say('Another task of this project uses its cache of facts, so this task begins without.');
    return null;
  }
  if ((await sizeOf(folder)) > MAX_FACT_BYTES) {
    await say('The cache of facts is larger than 256 MiB, so it begins again.');
    for (const name of await readdir(folder)) {
      await rm(join(folder, name), { recursive: true, force: true });
    }
  }
  await markUsed(folder);
  if (user && uid !== user.uid) await giveFolder(folder, user);
  await chmod(folder, 0o700);
  return folder;
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(folder)) bytes += (await lstat(join(folder, name))).size;
  return bytes;
}
