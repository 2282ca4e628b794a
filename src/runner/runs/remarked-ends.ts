// Adds failures and remarks to the end of runs whose program exits with success.

import { kindOf } from '#shared/apps.ts';
import { type Failure, taskFailures } from '#shared/catalogue/task-failures.ts';
import { isServerUnavailable } from '../api/server-unavailable.ts';
import type { RunEnd } from '../api/runner-api.ts';
import { findWorkspace, type Workspace } from '../workspace/workspace.ts';
import { findLeftFiles, setLeftStatesAside } from './left-states.ts';
import type { Run } from './run.ts';
import { readLabel } from './run-notes.ts';

type EndedRun = Pick<Run, 'ctx' | 'task' | 'log'>;

/** Logs which files would be lost with the folder of the run, such as a key or a report. */
async function logLeftFiles({ task, log }: EndedRun, workspace: Workspace): Promise<void> {
  if (kindOf(task.snapshot.app) !== 'terraform' || readLabel(workspace.dir) === null) return;
  const { names, count } = await findLeftFiles(workspace);
  if (count === 0) return;
  const more = count > names.length ? ` and ${count - names.length} more` : '';
  await log.say([
    `Files that this run has written into its checkout, which is removed now: ${names.map(shownName).join(', ')}${more}.`,
    'Write what has to stay to an absolute path, or hand it on as an output.',
  ]);
}

const MAX_NAME_LENGTH = 200;

/** Names may contain any character but a slash, also line breaks. */
const shownName = (name: string): string =>
  name.replaceAll(/\p{Cc}/gu, '?').slice(0, MAX_NAME_LENGTH);

/** A run that has left a state of Terraform in its folder gets a failure or a remark. */
export async function withLeftStates({ ctx, task, log }: EndedRun, end: RunEnd): Promise<RunEnd> {
  try {
    const workspace = await findWorkspace(ctx.config, task.id);
    if (workspace) await logLeftFiles({ ctx, task, log }, workspace);
    const path = workspace && (await setLeftStatesAside(ctx.config, workspace));
    if (!path) return end;
    const failure: Failure = { code: 'failure.state_left', params: { path } };
    await log.say([taskFailures.message(failure)]);
    if (end.to !== 'success') return end;
    const to = kindOf(task.snapshot.app) === 'terraform' ? 'error' : 'success';
    return { ...end, to, failure };
  } catch (error) {
    if (isServerUnavailable(error)) throw error;
    // The folder is not lost: its removal too begins with setting states aside.
    ctx.log.error({ err: error, taskId: task.id }, 'searching for Terraform states failed');
    return end;
  }
}

/** An Ansible run without hosts gets a failure if its template requires hosts, else a remark. */
export async function endWithoutHosts(
  { task, log }: Pick<EndedRun, 'task' | 'log'>,
  exitCode: number | null,
): Promise<RunEnd> {
  const failure: Failure = { code: 'failure.no_hosts', params: {} };
  await log.say([taskFailures.message(failure)]);
  return { to: task.snapshot.failWithoutHosts ? 'error' : 'success', exitCode, failure };
}
