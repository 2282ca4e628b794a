// Lists the commits between two commits of a repository, from the mirror that its runs have made.

import type { CommitRange } from '#shared/api/task-changes.ts';
import type { Look } from '#shared/api/runner-api.ts';
import type { GitKeys } from '../api/run-secrets.ts';
import { inMirrorWith } from '../git/checkout.ts';
import { listCommitsBetween } from '../git/commits-between.ts';
import { gitIn } from '../git/mirror.ts';
import type { LookPlace } from './look-place.ts';
import { withAccess } from './see-repository.ts';

type Asked = Extract<Look, { kind: 'commits' }>;

/** Null: one of the commits is not known here. */
export const seeCommits = (
  place: LookPlace,
  { project_id, repository_id: repositoryId, url, before, after }: Asked,
  keys: GitKeys,
): Promise<CommitRange | null> =>
  withAccess(place, { project_id, url }, keys, (options) =>
    inMirrorWith({ repositoryId, url }, [before, after], options, (mirror) =>
      listCommitsBetween(before, after, gitIn(mirror, options)),
    ),
  );
