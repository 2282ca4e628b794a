// One task from its first line to its last; read this file first.
//   claimed → keys opened (and masked from here on) → workspace → files of the repository
//   → inventory and variables → the program under a supervisor, its lines into the log
//   → log closed → status from its result → everything of the run removed, whatever happened.
// A task that an earlier server left behind comes here too: if its supervisor has begun, we follow
// where that server stopped reading; if not, nothing has run and we begin again.
// A task that was told to stop ends as stopped, never as failed.

import type { Context } from '../context.ts';
import { takeVersion, type ClaimedTask } from '../tasks/claim.ts';
import { endTask, moveTask } from '../tasks/tasks.ts';
import { forgetWorktrees } from './checkout.ts';
import type { TaskControl } from './control.ts';
import { secretsOf } from './credentials.ts';
import { createMask, type Mask } from './mask.ts';
import {
  ansibleCommand,
  baseEnvironment,
  fetchFiles,
  openKeys,
  type Preparation,
  type RunKeys,
} from './prepare.ts';
import { followProgress } from './progress.ts';
import { shownCommand } from './shown-command.ts';
import { attach, endRun, giveUp, superviseCommand, type ProgramResult } from './supervisor.ts';
import { createTaskLog, type TaskLog } from './task-log.ts';
import { findWorkspace, makeWorkspace, type Workspace } from './workspace.ts';

type Outcome = 'success' | 'error' | 'stopped';

/** Settles when the task has ended, or has been left to the next server. */
export async function runTask(
  ctx: Context,
  task: ClaimedTask,
  control: TaskControl,
): Promise<void> {
  let outcome: Outcome | 'detached' = 'error';
  let log = createTaskLog(ctx, task, (line) => line);
  try {
    const keys = await openKeys(ctx, task);
    const mask = createMask(allSecrets(task, keys));
    log = createTaskLog(ctx, task, mask);
    const run = { ctx, task, keys, log, control, mask };
    const workspace = (await takeOver(run)) ?? (await begin(run));
    outcome = workspace ? await follow(run, workspace) : 'stopped';
  } catch (error) {
    outcome = control.reason === 'timeout' ? 'error' : (control.reason ?? 'error');
    await log.add(lastWords(control, error)).catch(() => undefined);
    ctx.log.info({ err: error, taskId: task.id }, 'task failed before its end');
  }
  await attempt(ctx, log.close);
  if (outcome === 'detached') return;
  // After the last line, so that nobody who sees the end misses one; and before the folder goes,
  // since a server that finds a running task without its folder begins it again.
  await endTask(ctx, task, outcome);
  await attempt(ctx, () => cleanUp(ctx, task));
}

interface Run {
  ctx: Context;
  task: ClaimedTask;
  keys: RunKeys;
  log: TaskLog;
  control: TaskControl;
  mask: Mask;
}

/** The workspace of a run that an earlier server began; null: there is none to go on with. */
async function takeOver({ ctx, task, log }: Run): Promise<Workspace | null> {
  const left = await findWorkspace(ctx.config, task.id);
  if (!left) return null;
  if (!(await giveUp(left.dir))) return left;
  // Nothing has run in it, and from now on nothing will.
  await cleanUp(ctx, task);
  await log.add(['The server was restarted before the program began. Beginning again.']);
  return null;
}

/** Prepares the run and starts its program; null: it was stopped before. */
async function begin({ ctx, task, keys, log, control }: Run): Promise<Workspace | null> {
  control.signal.throwIfAborted();
  const workspace = await makeWorkspace(ctx.config, task.id);
  const say = (line: string): Promise<void> => log.add(line.split('\n'));
  const preparation: Preparation = {
    ctx,
    task,
    workspace,
    keys,
    signal: control.signal,
    say,
    sayAll: log.add,
  };
  await say(`Task ${task.id}: ${task.snapshot.templateName}`);
  const commit = await fetchFiles(preparation);
  // Only now: a build that never got this far does not use up a version.
  const version = await takeVersion(ctx, task);
  const command = await ansibleCommand(preparation, { version, commit });
  control.signal.throwIfAborted();
  if (task.status !== 'running' && !(await moveTask(ctx, task, 'running'))) return null;
  await say(`Command: ${shownCommand(command)}`);
  superviseCommand(workspace.dir, workspace.mark, command);
  return workspace;
}

async function follow(run: Run, workspace: Workspace): Promise<Outcome | 'detached'> {
  const { ctx, task, log, control, mask } = run;
  const program = attach({
    folder: workspace.dir,
    mark: workspace.mark,
    from: task.spool_offset,
    onLines: log.add,
    detach: control.detached,
  });
  control.attach(program);
  const limit = limitTime(run);
  const progress = followProgress(ctx, task, { folder: workspace.dir, mask });
  let result: ProgramResult;
  try {
    result = await program.result;
  } finally {
    clearTimeout(limit);
    await progress.end();
  }
  if (result.exitCode === null && !result.isLost) return 'detached';
  if (control.reason === 'stopped') {
    await log.add(['Stopped.']);
    return 'stopped';
  }
  if (control.reason !== 'timeout' && result.exitCode === 0) return 'success';
  await log.add([failureWords(run, result)]);
  return 'error';
}

/** Ends the program when its time is over, counted from its start, also by an earlier server. */
function limitTime({ ctx, task, control }: Run): NodeJS.Timeout | undefined {
  const { timeoutS } = task.snapshot;
  if (!timeoutS) return undefined;
  const begun = task.start ? Date.parse(task.start) : ctx.clock.now().getTime();
  const left = begun + timeoutS * 1000 - ctx.clock.now().getTime();
  return setTimeout(() => control.stop('timeout', false), Math.max(0, left));
}

function failureWords({ task, control }: Run, { exitCode, signal, isLost }: ProgramResult): string {
  if (control.reason === 'timeout') {
    return `The time limit of ${task.snapshot.timeoutS} seconds is over; the task was ended.`;
  }
  if (isLost) return 'The supervisor of this task is gone, so its result is not known.';
  if (signal) return `ansible-playbook was ended by the signal ${signal}.`;
  return `ansible-playbook ended with the exit code ${exitCode}.`;
}

function lastWords({ reason }: TaskControl, error: unknown): string[] {
  if (reason === 'stopped') return ['Stopped.'];
  if (reason === 'detached') return [];
  return (error instanceof Error ? error.message : String(error)).split('\n');
}

/** Ends what the run has started and removes what it has written. */
async function cleanUp(ctx: Context, task: ClaimedTask): Promise<void> {
  const workspace = await findWorkspace(ctx.config, task.id);
  if (!workspace) return;
  await endRun(workspace.dir, workspace.mark);
  await workspace.remove();
  const { repository, inventoryRepository } = task.snapshot;
  for (const one of inventoryRepository ? [repository, inventoryRepository] : [repository]) {
    const source = { repositoryId: one.id, url: one.git_url };
    await forgetWorktrees(ctx.config, source, baseEnvironment({ ctx, workspace }));
  }
}

function allSecrets(task: ClaimedTask, keys: RunKeys): string[] {
  const { repository, inventoryRepository, user, become, vaults } = keys;
  const ofKeys = [repository, inventoryRepository, user, become, ...vaults].flatMap(secretsOf);
  return [...ofKeys, ...Object.values(task.secretAnswers).map(String)];
}

async function attempt(ctx: Context, step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    ctx.log.error({ err: error }, 'cleaning up after a task failed');
  }
}
