// Asks a repository for its newest commit, for schedules: with its key, its pinned host keys and
// the same isolation as a run.

import { dirname } from 'node:path';
import type { Context } from '../../server/context.ts';
import { openKey } from '../../server/keys/keys.ts';
import type { Place } from '../../server/schedules/firing.ts';
import { secretsOf } from '../workspace/credentials.ts';
import { findRemoteHead } from '../git/remote-head.ts';
import { createMask, maskError } from '../log/mask.ts';
import { withGitAccess } from '../prepare.ts';
import { lookUser } from '../workspace/run-users.ts';
import { makeWorkspace } from '../workspace/workspace.ts';

// The folder is that of no task: what a crash leaves of it is removed at the next start.
const noTask = 0;

export async function findHead(
  ctx: Context,
  { projectId, repository, branch }: Place,
  signal: AbortSignal,
): Promise<string | null> {
  const key = await openKey(ctx, projectId, repository.ssh_key_id);
  const workspace = await makeWorkspace(ctx.config, noTask, lookUser(ctx.config));
  const place = { ctx, workspace, task: { project_id: projectId } };
  const { git_url: url } = repository;
  try {
    return await withGitAccess(place, { name: 'repository', url, key }, (env) => {
      // The configuration of a repository that the data folder lies in is not for us.
      const own = { ...env, GIT_CEILING_DIRECTORIES: dirname(workspace.dir) };
      return findRemoteHead({ url, branch }, workspace.dir, {
        config: ctx.config,
        env: own,
        workspace,
        signal,
      });
    });
  } catch (error) {
    throw maskError(error, createMask(secretsOf(key)));
  } finally {
    await workspace.remove();
  }
}
