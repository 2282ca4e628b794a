// Removes what belongs to nothing any more: mirrors of repositories that are gone or have moved,
// pinned host keys of projects that are gone.

import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../context.ts';
import { knownHostsOf } from '../host-keys/host-keys.ts';
import { listProjectIds } from '../projects/projects.ts';
import { listAddresses } from '../repositories/repositories.ts';
import { mirrorName, mirrorsOf, removeMirror, type Owner } from './mirror.ts';

/** `inUse`: the repositories of tasks that run now, which may have been launched before a change. */
export async function sweep(ctx: Context, inUse: () => Owner[]): Promise<void> {
  // The folders first and then the rows: what is made in between is not taken for left over.
  const mirrors = await namesIn(mirrorsOf(ctx.config));
  const projects = await namesIn(knownHostsOf(ctx.config));
  const kept = new Set((await listAddresses(ctx)).map(mirrorName));
  const isKept = (name: string): boolean => {
    const owner = name.split(/[-.]/).slice(0, 2).join('-');
    return kept.has(owner) || inUse().some((one) => mirrorName(one) === owner);
  };
  for (const name of mirrors) {
    // Asked again when it is its turn: a task that waited may have begun.
    if (!isKept(name)) await removeMirror(join(mirrorsOf(ctx.config), name), () => isKept(name));
  }
  const ids = new Set((await listProjectIds(ctx)).map(String));
  for (const name of projects.filter((one) => !ids.has(one))) {
    await rm(join(knownHostsOf(ctx.config), name), { force: true });
  }
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);
