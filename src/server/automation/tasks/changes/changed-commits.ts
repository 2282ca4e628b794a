// The commits between those of two tasks.

import { commitHash, type CommitRange, type TaskChange } from '#shared/api/task-changes.ts';
import type { TaskSnapshot } from '#shared/api/task-snapshot.ts';
import { commitUrl } from '#shared/git/file-url.ts';
import type { Context } from '../../../context/context.ts';
import { statusHostOf } from '../../../resources/repositories/repositories.ts';

interface CommitsRequest {
  projectId: number;
  repository: TaskSnapshot['repository'];
  before: string;
  after: string;
}

/** Lists the commits between two commits of a repository; null: they are not known. */
export type FindCommits = (ctx: Context, wanted: CommitsRequest) => Promise<CommitRange | null>;

interface ComparedRun {
  project_id: number;
  commit_hash: string | null;
  snapshot: TaskSnapshot;
}

/** Empty if both ran the same commit, or one of them ran none. */
export async function changedCommits(
  ctx: Context,
  findCommits: FindCommits,
  before: ComparedRun,
  after: ComparedRun,
): Promise<TaskChange[]> {
  const [from, to] = [before.commit_hash, after.commit_hash];
  if (from === null || to === null || from === to) return [];
  const { project_id: projectId, snapshot } = after;
  const { repository } = snapshot;
  // Runners other than ours may report an abbreviated hash.
  const isWhole = [from, to].every((hash) => commitHash.safeParse(hash).success);
  const wanted = { projectId, repository, before: from, after: to };
  const range = isWhole ? await findCommits(ctx, wanted) : null;
  const host = await statusHostOf(ctx, projectId, repository.id);
  const commits = range?.commits.map((one) => ({
    ...one,
    url: commitUrl(repository.git_url, host, one.hash),
  }));
  return [
    {
      kind: 'commits',
      how: 'changed',
      what: '',
      before: from,
      after: to,
      range: range && { ...range, commits: commits ?? [] },
    },
  ];
}
