// Removes unused files: mirrors of repositories that were removed or have a new address, and pinned
// host keys, states of Terraform and facts of projects that were removed, and home folders of projects
// that keep none.

import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { knownHostsOf } from '../system/known-hosts.ts';
import { factsOf } from '../prepare/caches.ts';
import { listHomes, removeHomes } from '../prepare/kept-home.ts';
import { statesOf } from '../apps/terraform-states.ts';
import type { RunContext } from '../desk/desk.ts';
import { mirrorName, ownerOf, type Owner } from '../git/mirror-name.ts';
import { mirrorsOf, removeMirror } from '../git/mirror.ts';

/** `inUse` answers the repositories of the running tasks, which may be older than a change of a repository. */
export async function sweep(
  ctx: Pick<RunContext, 'config' | 'desk'>,
  inUse: () => Owner[],
): Promise<void> {
  // The folders are listed before the rows, so that a folder made in between is not removed.
  const mirrors = await namesIn(mirrorsOf(ctx.config));
  const ofProjects: string[] = [];
  for (const folder of [knownHostsOf(ctx.config), statesOf(ctx.config), factsOf(ctx.config)]) {
    ofProjects.push(...(await namesIn(folder)).map((name) => join(folder, name)));
  }
  const found = {
    mirrors: [...new Set(mirrors.map(ownerOf))],
    projects: [...new Set(ofProjects.map((path) => Number(basename(path))))].filter(isId),
    homes: (await listHomes(ctx.config)).map(Number).filter(isId),
  };
  const kept = await ctx.desk.sortOut(found);
  const isKept = (name: string): boolean => {
    const owner = ownerOf(name);
    return kept.mirrors.includes(owner) || inUse().some((one) => mirrorName(one) === owner);
  };
  for (const name of mirrors) {
    // Checked again under the lock: a task may have begun meanwhile.
    if (!isKept(name)) await removeMirror(join(mirrorsOf(ctx.config), name), () => isKept(name));
  }
  const ids = new Set(kept.projects.map(String));
  for (const path of ofProjects.filter((one) => !ids.has(basename(one)))) {
    await rm(path, { recursive: true, force: true });
  }
  const homes = new Set(kept.homes.map(String));
  await removeHomes(
    ctx.config,
    ({ project }) => found.homes.includes(Number(project)) && !homes.has(project),
  );
}

const isId = (id: number): boolean => Number.isSafeInteger(id) && id > 0;

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);
