// Removes what belongs to nothing any more: mirrors of repositories that are gone or have moved,
// pinned host keys and states of Terraform of projects that are gone.

import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { knownHostsOf } from '../system/known-hosts.ts';
import { statesOf } from '../apps/terraform-states.ts';
import type { RunContext } from '../desk/desk.ts';
import { mirrorName, type Owner } from '../git/mirror-name.ts';
import { mirrorsOf, removeMirror } from '../git/mirror.ts';

/** `inUse`: the repositories of tasks that run now, which may have been launched before a change. */
export async function sweep(
  ctx: Pick<RunContext, 'config' | 'desk'>,
  inUse: () => Owner[],
): Promise<void> {
  // The folders first and then the rows: what is made in between is not taken for left over.
  const mirrors = await namesIn(mirrorsOf(ctx.config));
  const ofProjects: string[] = [];
  for (const folder of [knownHostsOf(ctx.config), statesOf(ctx.config)]) {
    ofProjects.push(...(await namesIn(folder)).map((name) => join(folder, name)));
  }
  const found = {
    mirrors: [...new Set(mirrors.map(ownerOf))],
    projects: [...new Set(ofProjects.map((path) => Number(basename(path))))].filter(isId),
  };
  const kept = await ctx.desk.sortOut(found);
  const isKept = (name: string): boolean => {
    const owner = ownerOf(name);
    return kept.mirrors.includes(owner) || inUse().some((one) => mirrorName(one) === owner);
  };
  for (const name of mirrors) {
    // Asked again when it is its turn: a task that waited may have begun.
    if (!isKept(name)) await removeMirror(join(mirrorsOf(ctx.config), name), () => isKept(name));
  }
  const ids = new Set(kept.projects.map(String));
  for (const path of ofProjects.filter((one) => !ids.has(basename(one)))) {
    await rm(path, { recursive: true, force: true });
  }
}

/** What the name of a mirror begins with. */
const ownerOf = (name: string): string => name.split(/[-.]/).slice(0, 2).join('-');

const isId = (id: number): boolean => Number.isSafeInteger(id) && id > 0;

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);
