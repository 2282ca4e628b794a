// Lists the files of a repository from its mirror, which it refreshes like a run.

import type { RepositoryFiles } from '#shared/api/repositories.ts';
import type { Inspection } from '#shared/api/runner-api.ts';
import { localPath } from '#shared/git/repository-url.ts';
import type { GitKeys } from '../api/run-secrets.ts';
import { inMirror } from '../git/checkout.ts';
import { listFiles } from '../git/list-files.ts';
import { checkFolder, isGitRepository } from '../git/local-folder.ts';
import { gitIn } from '../git/mirror.ts';
import type { InspectionWorkspace } from './inspection-workspace.ts';
import { withAccess } from './inspect-repository.ts';

type FilesInspection = Extract<Inspection, { kind: 'files' }>;

/** The files of a plain folder are unknown, because only git lists and searches them. */
const unknown: RepositoryFiles = { playbooks: [], others: [], complete: false };

/** A failure is part of the answer, in git's own words, because they say what to change. */
export async function inspectFiles(
  place: InspectionWorkspace,
  asked: FilesInspection,
  keys: GitKeys,
): Promise<RepositoryFiles & { failure: string | null }> {
  try {
    return { ...(await listed(place, asked, keys)), failure: null };
  } catch (error) {
    place.signal.throwIfAborted();
    return { ...unknown, failure: error instanceof Error ? error.message : '' };
  }
}

const listed = (
  place: InspectionWorkspace,
  { project_id, repository_id: repositoryId, url, branch, app_kind: kind }: FilesInspection,
  keys: GitKeys,
): Promise<RepositoryFiles> =>
  withAccess(place, { project_id, url }, keys, async (options) => {
    const folder = localPath(url);
    if (folder !== null) await checkFolder(options.config, folder);
    if (folder !== null && !(await isGitRepository(folder, options))) return unknown;
    const source = { repositoryId, url, branch, commit: null, withSubmodules: false };
    return inMirror(source, options, (mirror, { hash }) =>
      listFiles(hash, kind, gitIn(mirror, options)),
    );
  });
