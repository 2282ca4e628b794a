// Whether a repository can be reached with a key, and which branches it has: before it is saved.

import { dirname } from 'node:path';
import type { RepositoryAccess, RepositoryBranches } from '#shared/api/repositories.ts';
import type { Context } from '../../server/context.ts';
import { openKey } from '../../server/keys/keys.ts';
import { recordLook } from '../../server/repositories/repositories.ts';
import { secretsOf } from '../workspace/credentials.ts';
import { findBranches } from '../git/remote-branches.ts';
import { createMask, maskError } from '../log/mask.ts';
import { look, lookTime, type LookPlace } from './look.ts';
import { withGitAccess } from '../prepare.ts';

/** Why it fails, in git's own words, is data: it says what is to be changed. */
export async function listBranches(
  ctx: Context,
  projectId: number,
  access: RepositoryAccess,
  time = lookTime,
): Promise<RepositoryBranches> {
  await recordLook(ctx, projectId, access);
  const seen = (at: LookPlace): Promise<RepositoryBranches> =>
    seeBranches(ctx, projectId, access, at).catch((error: unknown) => {
      at.signal.throwIfAborted();
      const failure = error instanceof Error ? error.message : '';
      return { branches: [], head: null, failure };
    });
  return look(ctx, seen, time);
}

async function seeBranches(
  ctx: Context,
  projectId: number,
  { git_url: url, ssh_key_id: keyId }: RepositoryAccess,
  { workspace, signal }: LookPlace,
): Promise<RepositoryBranches> {
  const key = await openKey(ctx, projectId, keyId);
  const place = { ctx, workspace, task: { project_id: projectId } };
  try {
    const found = await withGitAccess(place, { name: 'repository', url, key }, (env) => {
      const own = { ...env, GIT_CEILING_DIRECTORIES: dirname(workspace.dir) };
      return findBranches(url, workspace.dir, {
        config: ctx.config,
        env: own,
        workspace,
        signal,
      });
    });
    return { ...found, failure: null };
  } catch (error) {
    throw maskError(error, createMask(secretsOf(key)));
  }
}
