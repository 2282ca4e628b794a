// Lists the commits between two commits of a repository, from the mirror that its runs have made.

import type { CommitRange } from '#shared/api/task-changes.ts';
import type { Inspection } from '#shared/api/runner-api.ts';
import type { GitKeys } from '../api/run-secrets.ts';
import { inMirrorWith } from '../git/checkout.ts';
import { listCommitsBetween } from '../git/commits-between.ts';
import { gitIn } from '../git/mirror.ts';
import type { InspectionWorkspace } from './inspection-workspace.ts';
import { withAccess } from './inspect-repository.ts';

type CommitsInspection = Extract<Inspection, { kind: 'commits' }>;

/** Null: one of the commits is not known here. */
export const inspectCommits = (
  place: InspectionWorkspace,
  { project_id, repository_id: repositoryId, url, before, after }: CommitsInspection,
  keys: GitKeys,
): Promise<CommitRange | null> =>
  withAccess(place, { project_id, url }, keys, (options) =>
    inMirrorWith({ repositoryId, url }, [before, after], options, (mirror) =>
      listCommitsBetween(before, after, gitIn(mirror, options)),
    ),
  );
