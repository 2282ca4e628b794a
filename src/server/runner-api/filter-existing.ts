// Tells a runner which contents of its data folder still belong to a project, template or repository.

import type { DataFolderContents } from '../../runner/api/runner-api.ts';
import { mirrorName } from '../../runner/git/mirror-name.ts';
import { listKnownTemplates } from '../automation/templates/templates.ts';
import type { Context } from '../context/context.ts';
import type { RunnerActor } from '../context/runner-actor.ts';
import { listHomeKeepers, listProjectIds } from '../projects/projects.ts';
import { findOwner } from '../runners/remote-runners.store.ts';
import { listAddresses } from '../resources/repositories/repositories.ts';

/**
 * Returns those of the contents that are still used. The runner of a project (`owner`) learns nothing of
 * other projects: their contents count as used, and of mirrors it keeps those of its own project.
 */
export async function filterExisting(
  ctx: Context,
  { mirrors, projects, homes, states = [] }: DataFolderContents,
  owner: number | null,
): Promise<DataFolderContents> {
  const isForeign = (id: number): boolean => owner !== null && id !== owner;
  const addresses = new Set((await listAddresses(ctx, owner)).map(mirrorName));
  const ids = new Set(await listProjectIds(ctx));
  const keepers = new Set(await listHomeKeepers(ctx));
  const known = await listKnownTemplates(
    ctx,
    states.filter(({ project_id: id }) => !isForeign(id)),
  );
  return {
    mirrors: mirrors.filter((name) => addresses.has(name)),
    projects: projects.filter((id) => isForeign(id) || ids.has(id)),
    homes: homes.filter((id) => isForeign(id) || keepers.has(id)),
    states: [...states.filter(({ project_id: id }) => isForeign(id)), ...known],
  };
}

export async function filterExistingFor(
  ctx: Context,
  { id }: Pick<RunnerActor, 'id'>,
  found: DataFolderContents,
): Promise<DataFolderContents & { installation: string }> {
  const owner = id === null ? null : await findOwner(ctx.db, id);
  return { ...(await filterExisting(ctx, found, owner)), installation: ctx.installation };
}
