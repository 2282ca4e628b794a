// Asks a repository for its branches or its newest commit, with its key, the pinned host keys of the
// project and the same isolation as a run. It fetches no files; `see-files.ts` does.

import { dirname } from 'node:path';
import type { RepositoryBranches } from '#shared/api/repositories.ts';
import type { FetchOptions } from '../git/mirror.ts';
import { findBranches } from '../git/remote-branches.ts';
import { findRemoteHead } from '../git/remote-head.ts';
import { createMask, maskError } from '../log/mask.ts';
import { withGitAccess } from '../prepare/git-access.ts';
import type { GitKeys } from '../api/run-secrets.ts';
import { secretsIn } from '../workspace/credentials.ts';
import type { InspectionWorkspace } from './inspection-workspace.ts';

interface Address {
  project_id: number;
  url: string;
}

/** A failure is part of the answer, in git's own words, because they say what to change. */
export async function inspectBranches(
  place: InspectionWorkspace,
  { project_id, url }: Address,
  keys: GitKeys,
): Promise<RepositoryBranches> {
  try {
    const found = await withAccess(place, { project_id, url }, keys, (options) =>
      findBranches(url, place.workspace.dir, options),
    );
    return { ...found, failure: null };
  } catch (error) {
    place.signal.throwIfAborted();
    return { branches: [], head: null, failure: error instanceof Error ? error.message : '' };
  }
}

/** Null: the repository has no such branch or tag. */
export const inspectHead = (
  place: InspectionWorkspace,
  { project_id, url, branch }: Address & { branch: string },
  keys: GitKeys,
): Promise<string | null> =>
  withAccess(place, { project_id, url }, keys, (options) =>
    findRemoteHead({ url, branch }, place.workspace.dir, options),
  );

export async function withAccess<T>(
  { config, workspace, signal }: InspectionWorkspace,
  { project_id, url }: Address,
  keys: GitKeys,
  work: (options: FetchOptions) => Promise<T>,
): Promise<T> {
  const place = { ctx: { config }, workspace, task: { project_id } };
  try {
    return await withGitAccess(place, { name: 'repository', url, keys }, (env) => {
      // Git must not use the configuration of a repository that contains the data folder.
      const own = { ...env, GIT_CEILING_DIRECTORIES: dirname(workspace.dir) };
      return work({ config, env: own, workspace, signal });
    });
  } catch (error) {
    throw maskError(error, createMask(secretsIn(keys)));
  }
}
