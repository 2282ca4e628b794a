// The folder of the checkout in which the programs of a run start.

import { join } from 'node:path';
import type { RunnerTask } from '#shared/api/runner-desk.ts';
import { folderInside } from '../foreign/foreign.ts';
import type { Workspace } from '../workspace/workspace.ts';

export interface WorkingFolder {
  /** The absolute path. */
  folder: string;
  /** The path in the checkout, without links; empty for the top. */
  path: string;
  /** The path in the checkout of a path that the template names. */
  within: (path: string) => string;
}

/** Throws when the repository has no such folder, or a link leads out of the repository. */
export function workingFolder({
  task: { snapshot },
  workspace: { checkout },
}: {
  task: Pick<RunnerTask, 'snapshot'>;
  workspace: Pick<Workspace, 'checkout'>;
}): WorkingFolder {
  const path = folderInside(checkout, snapshot.workingDirectory || '.', 'working folder');
  return { folder: join(checkout, path), path, within: (inner) => join(path, inner) };
}
