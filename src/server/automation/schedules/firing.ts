// Handles the due times of schedules: each of them leaves exactly one row.
//
// A due time is handled in one transaction: `next_due` moves on, the row is written, and the task or run
// is launched. A server that finds `next_due` already moved does nothing. While a repository is checked
// for new commits, the row is `checking`, since no transaction stays open while git runs.

import type { Repository } from '#shared/api/repositories.ts';
import type { SkipReason } from '#shared/api/schedules.ts';
import { newTask } from '#shared/api/tasks.ts';
import type { Context } from '../../context/context.ts';
import { isOfDatabase, isPassing } from '../../db/lasting.ts';
import { withSavepoint } from '../../db/savepoint.ts';
import { toTaskParams } from '../../db/task-params.ts';
import { AppError, fail } from '../../lib/errors.ts';
import { requireRepository } from '../../resources/repositories/repositories.ts';
import { hasWaiting } from '../tasks/lists/task-list.ts';
import { startTask } from '../tasks/start-task.ts';
import { requireTemplate } from '../templates/templates.ts';
import { launchWorkflow } from '../workflows/runs/launch.ts';
import { hasUnfinishedRun } from '../workflows/runs/get-runs.ts';
import { inTransaction } from '../../context/transaction.ts';
import { listPassed, nextDue, type Passed } from '../../lib/cron.ts';
import { insertFires, takeCheck, updateFire, type NewFire, type Outcome } from './fires.store.ts';
import { nameOf, recordSchedule } from './record-schedule.ts';
import {
  findRow,
  rememberCommit,
  removeRow,
  takeDue,
  type ScheduleRow,
} from './schedules.store.ts';

// Milliseconds after which a due time counts as missed.
const grace = 60_000;

/** Handles the due times of a schedule; returns the id of the row that needs a check for new commits. */
export async function fireDue(ctx: Context, schedule: ScheduleRow): Promise<number | null> {
  const { next_due: due } = schedule;
  if (due === null) return null;
  const inTime = new Date(ctx.clock.now().getTime() - grace);
  if (new Date(due) >= inTime) {
    return take(ctx, schedule, due, (inner) => fire(inner, schedule, due));
  }
  const passed = await listPassed(schedule, due, inTime);
  const last = passed.newest.at(-1) ?? due;
  return take(ctx, schedule, last, (inner) => fireMissed(inner, schedule, passed));
}

async function take(
  ctx: Context,
  schedule: ScheduleRow,
  last: string,
  work: (inner: Context) => Promise<number | null>,
): Promise<number | null> {
  const next = nextDue(schedule, last);
  return inTransaction(actingAs(ctx, schedule), async (inner) => {
    if (!(await takeDue(inner.db, schedule, next))) return null;
    const checking = await work(inner);
    inner.hub.publish('resource.changed', { projectId: schedule.project_id, noun: 'schedules' });
    return checking;
  });
}

async function fire(ctx: Context, schedule: ScheduleRow, due: string): Promise<number | null> {
  const needsCheck = schedule.repository_id !== null;
  const result = needsCheck ? 'checking' : 'started';
  const [row] = await insertFires(ctx.db, [newFire(ctx, schedule, { due, result, count: 1 })]);
  // The clock was set back, and this due time was handled before.
  if (!row) return null;
  if (needsCheck) return row.id;
  await settle(ctx, schedule, row.id, await launch(ctx, schedule));
  return null;
}

function newFire(
  { clock }: Context,
  { id }: ScheduleRow,
  values: Pick<NewFire, 'due' | 'result' | 'count'>,
): NewFire {
  return { ...values, schedule_id: id, noticed: clock.now().toISOString() };
}

async function fireMissed(
  ctx: Context,
  schedule: ScheduleRow,
  { newest, earlier }: Passed,
): Promise<number | null> {
  const runs = schedule.missed === 'run' ? newest.at(-1) : undefined;
  const each = newest.filter((due) => due !== runs).map((due) => ({ due, count: 1 }));
  const missed = [...(earlier ? [earlier] : []), ...each].map((times) =>
    newFire(ctx, schedule, { ...times, result: 'missed' }),
  );
  const rows = missed.length > 0 ? await insertFires(ctx.db, missed) : [];
  const count = rows.reduce((sum, row) => sum + row.count, 0);
  if (count > 0) {
    ctx.telemetry.count('signalbox_schedule_times_total', { outcome: 'missed' }, count);
    await recordSchedule(ctx, 'schedule.missed', schedule, { count });
  }
  return runs === undefined ? null : fire(ctx, schedule, runs);
}

/** Launches what the schedule starts, unless this would pile up. */
async function launch(ctx: Context, schedule: ScheduleRow): Promise<Outcome> {
  const reason = await findBlocker(ctx, schedule);
  if (reason !== null) return { result: 'skipped', reason };
  try {
    return { result: 'started', ...(await withSavepoint(ctx.db, () => start(ctx, schedule))) };
  } catch (error) {
    // The due time is handled again when the database is available.
    if (isPassing(error)) throw error;
    return failure(ctx, error);
  }
}

/** A task of an earlier due time that still waits, or an unfinished run, which may wait for days. */
async function findBlocker(
  { db }: Context,
  { id: scheduleId, project_id: projectId, workflow_id: workflow }: ScheduleRow,
): Promise<SkipReason | null> {
  if (workflow !== null) {
    return (await hasUnfinishedRun(db, scheduleId)) ? 'previous_unfinished' : null;
  }
  return (await hasWaiting(db, { projectId, scheduleId })) ? 'previous_waiting' : null;
}

async function start(
  ctx: Context,
  schedule: ScheduleRow,
): Promise<Pick<Outcome, 'task_id' | 'workflow_run_id'>> {
  const { project_id: projectId, template_id, workflow_id: workflowId } = schedule;
  if (workflowId === null) {
    const options = newTask.parse({ ...toTaskParams(schedule), template_id });
    return { task_id: (await startTask(ctx, projectId, options)).id };
  }
  const which = { projectId, workflowId };
  const options = {
    message: '',
    launcher: nameOf(schedule),
    requestedBy: schedule.changed_by,
  };
  return { workflow_run_id: (await launchWorkflow(ctx, which, options)).id };
}

function failure(ctx: Context, error: unknown): Outcome {
  if (!(error instanceof AppError)) {
    ctx.log.error(
      { err: error, scheduleId: ctx.by.viaId },
      'a schedule could not start what it starts',
    );
    return failure(ctx, fail('request.internal'));
  }
  // The error of the field is more specific than the error of the request.
  const { code, message, params = {} } = error.fields[0] ?? error;
  return { result: 'failed', code, error: message, params };
}

async function settle(
  ctx: Context,
  schedule: ScheduleRow,
  fireId: number,
  outcome: Outcome,
): Promise<void> {
  await updateFire(ctx.db, fireId, outcome);
  ctx.telemetry.count('signalbox_schedule_times_total', { outcome: outcome.result });
  if (outcome.result === 'failed') {
    await recordSchedule(ctx, 'schedule.failed', schedule, { reason: outcome.error ?? '' });
  }
  const isDone = outcome.result === 'started' && schedule.delete_after_run;
  if (!isDone) return;
  await removeRow(ctx.db, schedule.project_id, schedule.id);
  await recordSchedule(ctx, 'schedule.deleted', schedule);
}

interface BranchToCheck {
  projectId: number;
  repository: Repository;
  branch: string;
}

/** Returns the newest commit; null: no such branch. Stops when the signal aborts. */
export type FindHead = (
  ctx: Context,
  place: BranchToCheck,
  signal: AbortSignal,
) => Promise<string | null>;

export interface Looking {
  findHead: FindHead;
  inspectionTimeoutMs: number;
  /** Aborts when the server stops. */
  closing: AbortSignal;
}

export interface Check {
  fireId: number;
  scheduleId: number;
}

/**
 * Fetches the newest commit of the repository of a schedule, and ends the check with it. When the server
 * stops meanwhile, the check stays unfinished and the next server ends it.
 */
export async function endCheck(
  ctx: Context,
  { fireId, scheduleId }: Check,
  looking: Looking,
): Promise<void> {
  const before = await findRow(ctx.db, scheduleId);
  if (!before) return;
  const own = actingAs(ctx, before);
  const seen = await inspection(own, before, looking);
  await inTransaction(own, async (inner) => {
    if (!(await takeCheck(inner.db, fireId))) return;
    const schedule = await findRow(inner.db, scheduleId);
    if (!schedule) return;
    const outcome = typeof seen === 'string' ? await compare(inner, before, schedule, seen) : seen;
    await settle(inner, schedule, fireId, outcome);
    inner.hub.publish('resource.changed', { projectId: schedule.project_id, noun: 'schedules' });
  });
}

// The longest message of git that is stored, in characters.
const MAX_REASON_LENGTH = 2000;

async function inspection(
  ctx: Context,
  schedule: ScheduleRow,
  { findHead, inspectionTimeoutMs, closing }: Looking,
): Promise<string | Outcome> {
  const late = AbortSignal.timeout(inspectionTimeoutMs);
  try {
    const place = await placeOf(ctx, schedule);
    closing.throwIfAborted();
    const commit = await findHead(ctx, place, AbortSignal.any([late, closing]));
    return commit ?? failure(ctx, fail('schedule.branch_missing', { branch: place.branch }));
  } catch (error) {
    closing.throwIfAborted();
    if (error instanceof AppError) return failure(ctx, error);
    // The check is ended later: it is the database that failed, not the repository.
    if (isOfDatabase(error)) throw error;
    const words = error instanceof Error ? error.message : String(error);
    const reason = late.aborted ? `no answer in ${inspectionTimeoutMs / 1000} seconds` : words;
    const params = { reason: reason.slice(0, MAX_REASON_LENGTH) };
    return failure(ctx, fail('schedule.check_failed', params));
  }
}

/** The repository of a schedule and the branch that its task will run. */
async function placeOf(ctx: Context, schedule: ScheduleRow): Promise<BranchToCheck> {
  const { project_id: projectId, repository_id, template_id } = schedule;
  const repository = await requireRepository(ctx, projectId, repository_id ?? 0);
  // A workflow may use several repositories, so its schedule checks the default branch of its own.
  if (template_id === null) return { projectId, repository, branch: repository.git_branch };
  const template = await requireTemplate(ctx, projectId, template_id);
  const isItsOwn = template.repository_id === repository.id;
  const own = toTaskParams(schedule)?.git_branch || template.git_branch;
  const branch = (isItsOwn && own) || repository.git_branch;
  return { projectId, repository, branch };
}

/** `before` is the schedule at the time of the inspection. */
async function compare(
  ctx: Context,
  before: ScheduleRow,
  schedule: ScheduleRow,
  commit: string,
): Promise<Outcome> {
  if (schedule.last_commit === commit) {
    return { result: 'skipped', reason: 'no_new_commits', commit_hash: commit };
  }
  const outcome = await launch(ctx, schedule);
  // Without this the next check would find the same commit new again.
  if (outcome.result === 'started') await rememberCommit(ctx.db, before, commit);
  return { ...outcome, commit_hash: commit };
}

function actingAs(ctx: Context, { id }: ScheduleRow): Context {
  return { ...ctx, by: { userId: null, username: '', via: 'schedule', viaId: id, ip: '' } };
}
