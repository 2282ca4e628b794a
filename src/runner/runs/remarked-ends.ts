// The ends of runs whose program says success although something is wrong, which the runner finds out.

import { kindOf } from '#shared/apps.ts';
import type { RunnerTask } from '#shared/api/runner-api.ts';
import { type Failure, taskFailures } from '#shared/catalogue/task-failures.ts';
import { isServerUnavailable } from '../api/server-unavailable.ts';
import type { RunContext, RunEnd } from '../api/runner-api.ts';
import type { TaskLog } from '../log/task-log.ts';
import { findWorkspace, type Workspace } from '../workspace/workspace.ts';
import { findLeftFiles, setLeftStatesAside } from './left-states.ts';
import { readLabel } from './run-notes.ts';

interface EndedRun {
  ctx: RunContext;
  task: RunnerTask;
  log: TaskLog;
}

/** Names the files that would go with the folder of the run without a word, such as a key or a report. */
async function tellLeftFiles({ task, log }: EndedRun, workspace: Workspace): Promise<void> {
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

/** A name can have any character but a slash, also one that would begin another line. */
const shownName = (name: string): string =>
  name.replaceAll(/\p{Cc}/gu, '?').slice(0, MAX_NAME_LENGTH);

/** A run that has left a state of Terraform in its folder is never a success without a word. */
export async function withLeftStates({ ctx, task, log }: EndedRun, end: RunEnd): Promise<RunEnd> {
  try {
    const workspace = await findWorkspace(ctx.config, task.id);
    if (workspace) await tellLeftFiles({ ctx, task, log }, workspace);
    const path = workspace && (await setLeftStatesAside(ctx.config, workspace));
    if (!path) return end;
    const failure: Failure = { code: 'failure.state_left', params: { path } };
    await log.say([taskFailures.message(failure)]);
    if (end.to !== 'success') return end;
    const to = kindOf(task.snapshot.app) === 'terraform' ? 'error' : 'success';
    return { ...end, to, failure };
  } catch (error) {
    if (isServerUnavailable(error)) throw error;
    // The folder stays when nothing could be set aside, because removing it begins with that too.
    ctx.log.error({ err: error, taskId: task.id }, 'searching for Terraform states failed');
    return end;
  }
}

/** A run of Ansible that reached no host is a failure if its template says so, and never a mere success. */
export async function endWithoutHosts(
  { task, log }: Pick<EndedRun, 'task' | 'log'>,
  exitCode: number | null,
): Promise<RunEnd> {
  const failure: Failure = { code: 'failure.no_hosts', params: {} };
  await log.say([taskFailures.message(failure)]);
  return { to: task.snapshot.failWithoutHosts ? 'error' : 'success', exitCode, failure };
}
