// The looks that people and schedules ask of the runner beside this server.

import type { InventoryPreview, InventoryText } from '#shared/api/inventories.ts';
import type { RepositoryAccess, RepositoryBranches } from '#shared/api/repositories.ts';
import { isInstalled } from '../../runner/system/programs.ts';
import type { Context } from '../context/context.ts';
import { fail } from '../lib/errors.ts';
import { openKey } from '../resources/keys/keys.ts';
import { recordLook } from '../resources/repositories/repositories.ts';
import type { FindHead } from '../automation/schedules/firing.ts';
import { lookTime, type Looks } from './looks.ts';

/** Asks a repository for its branches with a key, before the repository is saved. */
export async function listBranches(
  ctx: Context,
  looks: Looks,
  { projectId, ...access }: RepositoryAccess & { projectId: number },
  time = lookTime,
): Promise<RepositoryBranches> {
  const { git_url: url, ssh_key_id: keyId } = access;
  await recordLook(ctx, projectId, access);
  const key = await openKey(ctx, projectId, keyId).catch((error: Error) => error);
  if (key instanceof Error) return { branches: [], head: null, failure: key.message };
  return looks.ask({ kind: 'branches', project_id: projectId, url }, key, { time });
}

const noKey = { type: 'none' } as const;

export async function previewInventory(
  ctx: Context,
  looks: Looks,
  text: InventoryText,
  time = lookTime,
): Promise<InventoryPreview> {
  if (!(await isInstalled(ctx.config, 'ansible-inventory'))) {
    throw fail('inventory.preview_unavailable');
  }
  return looks.ask({ kind: 'inventory', ...text }, noKey, { time });
}

// The signal of the schedule fires before this.
const longestHeadMs = 600_000;

/** Asks a repository for its newest commit, for schedules. */
export const findHead =
  (looks: Looks): FindHead =>
  async (ctx, { projectId, repository, branch }, signal) => {
    const key = await openKey(ctx, projectId, repository.ssh_key_id);
    const { git_url: url } = repository;
    const look = { kind: 'head', project_id: projectId, url, branch } as const;
    return looks.ask(look, key, { time: longestHeadMs, signal });
  };

/** Makes a git repository from a folder of the product; answers its path. */
export const createRepository = (looks: Looks, name: string, files: string): Promise<string> =>
  looks.ask({ kind: 'new_repository', name, files }, noKey);
