// Inspects a repository with its keys, the pinned host keys of the project and the same isolation as a run: its
// branches and its newest commit without a fetch, its files and commits in the mirror of its runs.

import { dirname } from 'node:path';
import type { Inspection } from '#shared/api/runner-api.ts';
import type { RepositoryBranches, RepositoryFiles } from '#shared/api/repositories.ts';
import type { CommitRange } from '#shared/api/task-changes.ts';
import { localPath } from '#shared/git/repository-url.ts';
import type { GitKeys } from '../api/run-secrets.ts';
import { inMirror, inMirrorWith } from '../git/checkout.ts';
import { listCommitsBetween } from '../git/commits-between.ts';
import { listFiles } from '../git/list-files.ts';
import { checkFolder, isGitRepository } from '../git/local-folder.ts';
import { gitIn, type FetchOptions } from '../git/mirror.ts';
import { findBranches, findRemoteHead } from '../git/remote-refs.ts';
import { createMask, maskError } from '../log/mask.ts';
import { withGitAccess } from '../prepare/git-access.ts';
import { secretsIn } from '../workspace/credentials.ts';
import type { InspectionWorkspace } from './inspection-workspace.ts';

interface Address {
  project_id: number;
  url: string;
}

type InspectionOf<Kind extends Inspection['kind']> = Extract<Inspection, { kind: Kind }>;

export const inspectBranches = (
  place: InspectionWorkspace,
  { project_id, url }: Address,
  keys: GitKeys,
): Promise<RepositoryBranches> =>
  withFailure(place, { branches: [], head: null }, () =>
    withAccess(place, { project_id, url }, keys, (options) =>
      findBranches(url, place.workspace.dir, options),
    ),
  );

/** The files of a plain folder are unknown, because only git lists and searches them. */
const unknownFiles: RepositoryFiles = { playbooks: [], others: [], complete: false };

export const inspectFiles = (
  place: InspectionWorkspace,
  { project_id, repository_id: repositoryId, url, branch, app_kind: kind }: InspectionOf<'files'>,
  keys: GitKeys,
): Promise<RepositoryFiles & { failure: string | null }> =>
  withFailure(place, unknownFiles, () =>
    withAccess(place, { project_id, url }, keys, async (options) => {
      const folder = localPath(url);
      if (folder !== null) await checkFolder(options.config, folder);
      if (folder !== null && !(await isGitRepository(folder, options))) return unknownFiles;
      const source = { repositoryId, url, branch, commit: null, withSubmodules: false };
      return inMirror(source, options, (mirror, { hash }) =>
        listFiles(hash, kind, gitIn(mirror, options)),
      );
    }),
  );

/** A failure is part of the result, with git's own message, because it says what to change. */
async function withFailure<T extends object>(
  { signal }: InspectionWorkspace,
  empty: T,
  inspect: () => Promise<T>,
): Promise<T & { failure: string | null }> {
  try {
    return { ...(await inspect()), failure: null };
  } catch (error) {
    signal.throwIfAborted();
    return { ...empty, failure: error instanceof Error ? error.message : '' };
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

/** Null: the mirror lacks one of the commits. */
export const inspectCommits = (
  place: InspectionWorkspace,
  { project_id, repository_id: repositoryId, url, before, after }: InspectionOf<'commits'>,
  keys: GitKeys,
): Promise<CommitRange | null> =>
  withAccess(place, { project_id, url }, keys, (options) =>
    inMirrorWith({ repositoryId, url }, [before, after], options, (mirror) =>
      listCommitsBetween(before, after, gitIn(mirror, options)),
    ),
  );

async function withAccess<T>(
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
