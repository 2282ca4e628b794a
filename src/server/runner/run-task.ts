// One task from its first line to its last; read this file first.
//   claimed → workspace → keys opened (and masked from here on) → files of the repository
//   → inventory and variables → the program, its lines into the log → status from its result
//   → log closed → workspace removed, whatever happened.
// A task that was told to stop ends as stopped, never as failed.

import type { Context } from '../context.ts';
import { endTask, moveTask, type ClaimedTask } from '../tasks/tasks.ts';
import type { TaskControl } from './control.ts';
import { secretsOf } from './credentials.ts';
import { createMask } from './mask.ts';
import { ansibleCommand, fetchFiles, openKeys, type Preparation, type RunKeys } from './prepare.ts';
import { startProcess, type Command, type ProcessResult } from './process.ts';
import { createTaskLog, type TaskLog } from './task-log.ts';
import { makeWorkspace, type Workspace } from './workspace.ts';

type Outcome = 'success' | 'error' | 'stopped';

export async function runTask(
  ctx: Context,
  task: ClaimedTask,
  control: TaskControl,
): Promise<void> {
  let outcome: Outcome = 'error';
  let workspace: Workspace | null = null;
  let log: TaskLog | null = null;
  const undo: Preparation['undo'] = [];
  try {
    const keys = await openKeys(ctx, task);
    log = createTaskLog(ctx, task, createMask(allSecrets(task, keys)));
    workspace = await makeWorkspace(ctx.config, task.id);
    const say = (line: string): Promise<void> => (log ? log.add([line]) : Promise.resolve());
    outcome = await run(
      { ctx, task, workspace, keys, signal: control.signal, say, undo },
      log,
      control,
    );
  } catch (error) {
    log ??= createTaskLog(ctx, task, (line) => line);
    outcome = control.reason === 'stopped' ? 'stopped' : 'error';
    await log.add(lastWords(control, error)).catch(() => undefined);
    ctx.log.info({ err: error, taskId: task.id }, 'task failed before its end');
  } finally {
    for (const step of undo.toReversed()) await attempt(ctx, step);
    if (workspace) await attempt(ctx, workspace.remove);
    // The status comes after the last line, so that nobody who sees it misses one.
    if (log) await attempt(ctx, log.close);
    await endTask(ctx, task, outcome);
  }
}

async function run(preparation: Preparation, log: TaskLog, control: TaskControl): Promise<Outcome> {
  const { ctx, task, say } = preparation;
  await say(`Task ${task.id}: ${task.snapshot.templateName}`);
  await fetchFiles(preparation);
  const command = await ansibleCommand(preparation);
  if (!(await moveTask(ctx, task, 'running'))) return 'stopped';
  await say(`Command: ${shown(command)}`);
  const child = startProcess(command, log.add);
  control.attach(child);
  const result = await child.result;
  if (control.reason === 'stopped') {
    await say('Stopped.');
    return 'stopped';
  }
  if (result.exitCode === 0) return 'success';
  await say(control.reason ? shutdownWords : failureWords(command, result));
  return 'error';
}

const shutdownWords = 'The server was stopped while this task ran, and the task ended with it.';

function failureWords({ command }: Command, { exitCode, signal, failure }: ProcessResult): string {
  if (failure) return `${command} could not be started: ${failure}`;
  return signal
    ? `${command} was ended by the signal ${signal}.`
    : `${command} ended with the exit code ${exitCode}.`;
}

function lastWords({ reason }: TaskControl, error: unknown): string[] {
  if (reason === 'stopped') return ['Stopped.'];
  if (reason === 'shutdown') return [shutdownWords];
  return (error instanceof Error ? error.message : String(error)).split('\n');
}

/** The command as people would type it; secrets stand in files, not in it. */
function shown({ command, args }: Command): string {
  const quoted = args.map((arg) =>
    /^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", String.raw`'\''`)}'`,
  );
  return [command, ...quoted].join(' ');
}

function allSecrets(task: ClaimedTask, keys: RunKeys): string[] {
  const { repository, inventoryRepository, user, become, vaults } = keys;
  const ofKeys = [repository, inventoryRepository, user, become, ...vaults].flatMap(secretsOf);
  return [...ofKeys, ...Object.values(task.secretAnswers).map(String)];
}

async function attempt(ctx: Context, step: () => void | Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    ctx.log.error({ err: error }, 'cleaning up after a task failed');
  }
}
