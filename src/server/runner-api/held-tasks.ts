// Handles the requests of a runner about a task, if the runner holds the task's lease.

import type { PublicKey, RunnerTask, SentLog } from '#shared/api/runner-api.ts';
import type { LogLine } from '#shared/api/task-log.ts';
import type { Context } from '../context/context.ts';
import type { HeldTask, NewLines } from '../../runner/api/runner-api.ts';
import { isLasting, shortReason } from '../db/lasting.ts';
import { AppError, fail, failFields, fieldError } from '../lib/errors.ts';
import { inPieces } from '../lib/pieces.ts';
import type { RunnerActor } from '../context/runner-actor.ts';
import { delegateTask } from '../runners/remote-runners.ts';
import { appendLines, linesOfPiece } from '../automation/tasks/log/append-lines.ts';
import { openRunKeys, recordUsedKeys } from '../automation/tasks/runs/run-keys.ts';
import { findHeld, findShortHeld, findWholeHeld } from '../automation/tasks/runs/runner-tasks.ts';
import type { ShortHeldRow } from '../automation/tasks/runs/held-rows.store.ts';
import { LeaseLost } from '../automation/tasks/rows/tasks.store.ts';
import { canBeSealedTo, sealTo } from '../../node/crypto/seal.ts';

export interface TaskLease {
  runner: RunnerActor;
  taskId: number;
  lease: number;
}

export const taskLeaseOf = (
  { runner, params }: { runner: RunnerActor; params: { task_id: number } },
  lease: number,
): TaskLease => ({ runner, taskId: params.task_id, lease });

/** The credential of a task is for no other one, and for no other lease. */
const canActFor = (
  { task: own }: RunnerActor,
  { id, lease }: Omit<HeldTask, 'project_id'>,
): boolean => !own || (own.id === id && own.lease === lease);

export async function requireHeld<T extends HeldTask>(
  ctx: Context,
  { runner, taskId, lease }: TaskLease,
  find: (ctx: Context, runnerId: number | null, id: number) => Promise<T | null>,
): Promise<T> {
  const task = await asRunnerReply(ctx, () => find(ctx, runner.id, taskId));
  if (task?.lease !== lease || !canActFor(runner, task)) throw fail('runner.task_taken');
  return task;
}

/** Returns the task with all that the runner needs to begin it, except its secrets. */
export const requireWholeTask = (ctx: Context, hold: TaskLease): Promise<RunnerTask> =>
  requireHeld(ctx, hold, findWholeHeld);

/** Refuses a runner that holds the task under no lease. */
export async function requireAnyLease(
  ctx: Context,
  { runner, taskId }: Omit<TaskLease, 'lease'>,
): Promise<void> {
  const task = await asRunnerReply(ctx, () => findShortHeld(ctx, runner.id, taskId));
  if (!task || !canActFor(runner, task)) throw fail('runner.task_taken');
}

/**
 * Maps errors to replies: a refusal, which ends the task as the last line of its log, or
 * `runner.not_stored`, after which the runner retries. No passing error of the database, the disk or the
 * network ends a task.
 */
export async function asRunnerReply<T>(
  { log }: Pick<Context, 'log'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LeaseLost) throw fail('runner.task_taken');
    if (error instanceof AppError) throw error;
    const reason = shortReason(error);
    if (isLasting(error)) {
      log.error({ err: error }, 'runner report cannot be stored; its task ends');
      throw fail('runner.task_failed', { reason });
    }
    log.warn({ reason }, 'runner report not stored; the runner retries');
    throw fail('runner.not_stored', { seconds: RETRY_AFTER_SECONDS });
  }
}

const RETRY_AFTER_SECONDS = 1;

/** Returns all secrets of the run, sealed so that only the runner can open them, or the holder of the given key. */
export async function sealSecrets(
  ctx: Context,
  hold: TaskLease,
  key: PublicKey | null,
): Promise<string> {
  // With the credential of a task, nobody can open what is sealed to the key of the runner.
  if (!key && hold.runner.task) throw failFields(fieldError('public_key', 'field.required'));
  if (key && !canBeSealedTo(key)) throw failFields(fieldError('public_key', 'field.invalid'));
  const { publicKey } = hold.runner;
  return seal(ctx, { publicKey: key ?? publicKey }, await requireHeld(ctx, hold, findHeld));
}

/** Returns a credential with which another process can run the task. */
export async function delegate(ctx: Context, hold: TaskLease): Promise<string> {
  const task = await requireHeld(ctx, hold, findShortHeld);
  return asRunnerReply(ctx, () => delegateTask(ctx, hold.runner, task));
}

async function seal(
  ctx: Context,
  { publicKey }: Pick<RunnerActor, 'publicKey'>,
  task: RunnerTask,
): Promise<string> {
  const keys = await asRunnerReply(ctx, () => openRunKeys(ctx, task));
  const [sealed] = await Promise.all([
    sealTo(publicKey, { task: task.id, lease: task.lease }, keys),
    // Recorded for each reply, so that every use of a key outside the server is known.
    asRunnerReply(ctx, () => recordUsedKeys(ctx, task)),
  ]);
  return sealed;
}

/** Returns a task that begins together with its secrets, or without them if they cannot be opened. */
export async function withSecrets(
  ctx: Context,
  runner: Pick<RunnerActor, 'publicKey'>,
  task: RunnerTask,
): Promise<RunnerTask> {
  try {
    return { ...task, sealed: await seal(ctx, runner, task) };
  } catch (error) {
    // The runner requests them, and receives the refusal then.
    ctx.log.debug({ err: error, taskId: task.id }, 'task assigned without its secrets');
    return task;
  }
}

/** The lines after the stored ones; null: all are stored. There may be a million of them. */
export async function findUnstoredLines(
  { log_lines: stored }: ShortHeldRow,
  sent: SentLog,
): Promise<NewLines | null> {
  const known = stored - (sent.from - 1);
  const isEmpty = sent.lines.every(({ outputs }) => outputs.length === 0);
  // Lines before these are missing; the runner reads them again from its spool.
  if (!isEmpty && known < 0) throw fail('runner.lines_missing', { lines: stored });
  const lines = await inPieces(linesAfter(known, sent));
  return lines.length > 0 ? { from: stored + 1, lines, spoolOffset: sent.spool_offset } : null;
}

function* linesAfter(known: number, sent: SentLog): Generator<void, LogLine[]> {
  const lines: LogLine[] = [];
  let passed = 0;
  for (const { time, outputs } of sent.lines) {
    for (const output of outputs) {
      passed += 1;
      if (passed > known) lines.push({ time, output });
      if (passed % linesOfPiece === 0) yield;
    }
  }
  return lines;
}

/** Stores lines after the stored ones; returns how many lines are stored then. */
export async function storeLines(ctx: Context, hold: TaskLease, sent: SentLog): Promise<number> {
  const task = await requireHeld(ctx, hold, findShortHeld);
  const lines = await findUnstoredLines(task, sent);
  return lines
    ? asRunnerReply(ctx, () => appendLines(ctx, task, task.log_lines, lines))
    : task.log_lines;
}
