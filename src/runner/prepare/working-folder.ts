// The folder of the checkout in which the programs of a run start.

import { join, relative } from 'node:path';
import type { RunnerTask } from '#shared/api/runner-api.ts';
import { folderInside, insideOnly, isAbsent } from '../sandbox/sandbox.ts';
import type { Workspace } from '../workspace/workspace.ts';

type TaskCheckout = {
  task: Pick<RunnerTask, 'snapshot'>;
  workspace: Pick<Workspace, 'checkout'>;
};

export interface WorkingFolder {
  /** The absolute path. */
  folder: string;
  /** The path in the checkout, without links; empty for the top. */
  path: string;
  /** The path in the checkout of a path of the template. */
  within: (path: string) => string;
}

/** Throws when the repository has no such folder, or a link leads out of the repository. */
export function workingFolder({
  task: { snapshot },
  workspace: { checkout },
}: TaskCheckout): WorkingFolder {
  const path = folderInside(checkout, snapshot.workingDirectory || '.', 'working folder');
  return { folder: join(checkout, path), path, within: (inner) => join(path, inner) };
}

/** The playbook or script of a template. */
export interface StartFile {
  /** The path in the checkout. */
  path: string;
  /** The path from the working folder, as the argument of a program. */
  argument: string;
}

/**
 * Searches for the playbook or script in the working folder, then from the top of the checkout. Throws when it
 * does not exist, or a link leads out of the repository.
 */
export function startFile(given: TaskCheckout, what: 'playbook' | 'script'): StartFile {
  const { path: start, within } = workingFolder(given);
  const { playbook } = given.task.snapshot;
  const { checkout } = given.workspace;
  const isAtTop =
    isAbsent(checkout, within(playbook)) && start !== '' && !isAbsent(checkout, playbook);
  const found = isAtTop
    ? // The prefix keeps a name that begins with "-" from being an option.
      { path: playbook, argument: `./${relative(start, playbook)}` }
    : { path: within(playbook), argument: playbook };
  insideOnly(checkout, found.path, what);
  return found;
}
