// Sets aside states of Terraform in the folder of a run before it is removed. They are recognized by their content,
// whatever app and whatever cause: an unknown backend setting, a script that runs Terraform, or a failed upload.

import { join, relative } from 'node:path';
import { hasObjects } from '../apps/terraform-backend.ts';
import { placeOf, readStates } from '../sandbox/sandbox.ts';
import { runTool } from '../programs/process.ts';
import type { RunnerConfig } from '../config/runner-config.ts';
import { copyOut } from '../workspace/run-files.ts';
import { createAsideFolder } from '../../node/data-folder/set-aside.ts';
import { type Workspace, findWorkspace } from '../workspace/workspace.ts';
import { begunFile, noteAside, readAside, readLabel } from './run-notes.ts';
import { kindOf } from '#shared/apps.ts';
import { type Failure, taskFailures } from '#shared/catalogue/task-failures.ts';
import { isServerUnavailable } from '../api/server-unavailable.ts';
import type { RunEnd } from '../api/runner-api.ts';
import type { Run } from './run.ts';

/** Returns the folder with the states of the run; null: it has left none. */
export async function setLeftStatesAside(
  config: RunnerConfig,
  workspace: Workspace,
): Promise<string | null> {
  const { dir, user } = workspace;
  const done = readAside(dir);
  const label = readLabel(dir);
  if (done !== null || label === null) return done;
  const files = await statesWithObjects(workspace, await findStates(workspace));
  if (files.length === 0) return null;
  const taskId = workspace.mark.split('-')[0];
  const folder = await createAsideFolder(config, {
    kind: 'terraform',
    label: `${label}-task-${taskId}`,
    why: 'A run has left it in its folder, which is removed after the run.',
  });
  for (const path of files) await copyOut(path, join(folder, relative(dir, path)), user);
  await noteAside(dir, folder);
  return folder;
}

const tool = { cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' } };
const MAX_NAMES_BYTES = 16 * 1024 * 1024;

/** Modules that `init` has downloaded may contain states of others, so `.terraform` is skipped. */
const leftOut = ['(', '-name', '.terraform', '-o', '-name', '.git', ')', '-prune'];
const named = ['-type', 'f', '(', '-name', '*.tfstate', '-o', '-name', '*.tfstate.backup', ')'];

/** The state files that were written since the run began. Links are not followed. */
async function findStates({ dir, checkout, home }: Workspace): Promise<string[]> {
  const since = ['-newer', begunFile(dir)];
  const args = [checkout, home, ...leftOut, '-o', ...named, ...since, '-print0'];
  const { exitCode, failure, names } = await find(args);
  // 1: a folder could not be read, or was removed concurrently.
  if (exitCode === 0 || exitCode === 1) return names;
  throw new Error(`The folder of the run was not searched: ${failure ?? 'find did not end'}.`);
}

async function find(args: string[]) {
  const end = await runTool({ ...tool, command: 'find', args, outputLimit: MAX_NAMES_BYTES });
  return { ...end, names: end.stdout.split('\0').filter((path) => path !== '') };
}

/** Files of Terraform and of the runner. */
const ownNames = [
  '.terraform.lock.hcl',
  'signalbox_override.tf.json',
  '.terraform.tfstate.lock.info',
];
const MAX_SHOWN = 20;

/** The files but states that a Terraform run has written in its checkout, by name, and how many there are. */
async function findLeftFiles({
  dir,
  checkout,
}: Pick<Workspace, 'dir' | 'checkout'>): Promise<{ names: string[]; count: number }> {
  const others = [...ownNames, '*.tfstate', '*.tfstate.backup'];
  const isOther = others.flatMap((name) => ['!', '-name', name]);
  const since = ['-newer', begunFile(dir)];
  const args = [checkout, ...leftOut, '-o', '-type', 'f', ...isOther, ...since, '-print0'];
  const names = (await find(args)).names.map((path) => relative(checkout, path)).sort();
  return { names: names.slice(0, MAX_SHOWN), count: names.length };
}

/** States with objects. A backup beside a state counts only if the state itself cannot be read. */
async function statesWithObjects(
  { checkout, home, user }: Workspace,
  paths: string[],
): Promise<string[]> {
  const backup = '.backup';
  const mains = paths.map((path) => (path.endsWith(backup) ? path.slice(0, -backup.length) : path));
  const places = [...paths, ...mains].map((path) => placeOf([checkout, home], path));
  const contents = await readStates(places, user);
  return paths.filter((_, index) => {
    const [content, main] = [contents[index], contents[paths.length + index]];
    if (!content || !main || !hasObjects({ content })) return false;
    return mains[index] === paths[index] || main.is !== 'state' || hasObjects({ content: main });
  });
}

// Adds failures and remarks to the end of runs whose program exits with success.

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
