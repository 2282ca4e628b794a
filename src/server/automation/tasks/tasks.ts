// Launching and stopping tasks, and the moves of their status.

import { isDeepStrictEqual } from 'node:util';
import type { ConfirmationReason } from '#shared/catalogue/confirmation-reasons.ts';
import type { Failure } from '#shared/catalogue/task-failures.ts';
import { isFinished, type TaskStatus } from '#shared/task-status.ts';
import { newTask, type NewTask, type Task } from '#shared/api/tasks.ts';
import type { Answers, TaskSnapshot } from '#shared/api/task-snapshot.ts';
import type { Params } from '#shared/catalogue/catalogue.ts';
import type { EventCode } from '#shared/catalogue/recorded-events.ts';
import { raiseAlerts } from '../../alerts/alert-deliveries/raise-alerts.ts';
import { requireProgram } from '../apps/apps.ts';
import { sourceOf, type Context } from '../../context/context.ts';
import { requireEnvironment } from '../../resources/environments/environments.ts';
import { record } from '../../events/events.ts';
import { AppError, fail, failFields, fieldError } from '../../lib/errors.ts';
import { forgetRuns, lockHosts } from '../../resources/hosts/hosts.ts';
import { hasInventory, requireInventory } from '../../resources/inventories/inventories.ts';
import { requireProject } from '../../projects/projects.ts';
import { requireRepository } from '../../resources/repositories/repositories.ts';
import { toStored, withAddresses } from '../../resources/repositories/stored-address.ts';
import { checkReferences } from '../../resources/resource.ts';
import { inTransaction } from '../../context/transaction.ts';
import { countLaunch, listAutorun, requireTemplate } from '../templates/templates.ts';
import { endRow, wipeSecret } from './ends/ends.store.ts';
import { alertEnd, keptExitCode, recordEnd } from './ends/record-end.ts';
import { followUp, leaveFollowUps } from './ends/follow-ups.ts';
import { findBuild } from './launch/find-build.ts';
import { checkLaunch } from './launch/launch-rules.ts';
import { expectedSeconds } from './runs/progress.ts';
import { tryAgain } from './runs/retry.ts';
import { sealAnswers } from './runs/runner-tasks.ts';
import { markTime, traceOf } from './runs/trace.ts';
import { findTask } from './rows/shown-tasks.store.ts';
import { takeSnapshot, type LaunchParts } from './launch/snapshot.ts';
import { readAnswers } from './launch/survey.ts';
import { afterTask } from '../workflows/runs/after-task.ts';
import type { LaunchExtras } from '../workflows/runs/task-calls.ts';
import {
  deleteFinished,
  findRow,
  hasRunCommit,
  insertTask,
  listUnfinished,
  moveStatus,
} from './rows/tasks.store.ts';
import { withReasons } from './queue/waiting-reasons.ts';

/** A task as people see it; null: the project has none of this id. */
export async function getTask(ctx: Context, projectId: number, id: number): Promise<Task | null> {
  const task = await findTask(ctx.db, projectId, id);
  const [seen = null] = await withReasons(ctx, task ? [task] : []);
  return seen;
}

export async function requireTask(ctx: Context, projectId: number, id: number): Promise<Task> {
  const task = await getTask(ctx, projectId, id);
  if (!task) throw fail('task.not_found');
  return task;
}

/** Puts a task into the queue. What it runs is frozen here. */
export async function startTask(
  ctx: Context,
  projectId: number,
  launch: NewTask,
  { extracted, secrets, node }: LaunchExtras = {},
): Promise<Task> {
  const { userId, username } = ctx.by;
  const template = await requireTemplate(ctx, projectId, launch.template_id);
  checkLaunch(launch, template);
  const more = { extracted, secrets };
  const answers = readAnswers(template, launch.environment, launch.secret, more);
  const program = await requireProgram(ctx, template.app);
  const build = await findBuild(ctx, projectId, template, launch.build_task_id);
  const parts = await gather(ctx, projectId, template, launch);
  const hasSecretAnswers = Object.keys(answers.secret).length > 0;
  const frozen = { ...parts, program, username, incomingVersion: build.version, hasSecretAnswers };
  const snapshot = stored(ctx, takeSnapshot(frozen, launch));
  const id = await inTransaction(ctx, async (inner) => {
    const { db, hub } = inner;
    if (!(await countLaunch(db, projectId, template.id))) throw fail('template.not_found');
    const created = await insertTask(db, {
      project_id: projectId,
      template_id: template.id,
      user_id: userId,
      ...sourceOf(ctx.by),
      ...placeOf(node),
      ...traceOf(ctx.by),
      status: 'waiting',
      created: ctx.clock.now().toISOString(),
      message: launch.message,
      build_task_id: build.id,
      environment: answers.plain,
      environmentText: originalAnswersText(launch.environment, answers.plain),
      secret_answers: Object.keys(answers.secret),
      secret: null,
      debug: launch.debug,
      debug_level: launch.debug_level,
      dry_run: launch.dry_run,
      diff: launch.diff,
      auto_approve: snapshot.autoApprove,
      playbook: launch.playbook ?? '',
      arguments: launch.arguments,
      git_branch: launch.git_branch,
      limit: launch.limit ?? '',
      tags: launch.tags ?? '',
      skip_tags: launch.skip_tags ?? '',
      inventory_id: launch.inventory_id ?? template.inventory_id,
      attempts: template.retries + 1,
      snapshot,
      expected_s: await expectedSeconds(db, template.id, launch.dry_run),
    });
    const task = { id: created, project_id: projectId, tpl_alias: template.name };
    await sealAnswers(inner, task, answers.secret);
    await recordTask(inner, launch.dry_run ? 'task.dry_run_started' : 'task.started', task);
    hub.publish('task.changed', { projectId, taskId: created });
    hub.publish('queue.changed', {});
    return created;
  });
  return requireTask(ctx, projectId, id);
}

// Spaces in the text of the answers, in characters: lists of tasks have it too.
const MAX_SPACES = 1024;

/** The answers as they were sent, if they mean the same as those that the run gets. */
const originalAnswersText = (text: string, answers: Answers): string | null =>
  text.length <= JSON.stringify(answers).length + MAX_SPACES &&
  isDeepStrictEqual(JSON.parse(text), answers)
    ? text
    : null;

/** What a task runs as it is stored. */
const stored = ({ config }: Context, snapshot: TaskSnapshot): TaskSnapshot =>
  withAddresses(snapshot, (url) => toStored(config, url));

const placeOf = (node: LaunchExtras['node']) => ({
  workflow_run_id: node?.runId ?? null,
  workflow_node: node?.key ?? null,
});

/** Records what became of a task. */
export function recordTask(
  ctx: Context,
  code: Extract<EventCode, `task.${string}`>,
  task: Pick<Task, 'id' | 'project_id' | 'tpl_alias'>,
  params: Params = {},
): Promise<void> {
  return record(ctx, {
    code,
    projectId: task.project_id,
    object: { type: 'task', id: task.id, name: task.tpl_alias },
    params: { task: task.id, ...params },
  });
}

/** Reads everything that the task will run, refusing what is not of this project. */
async function gather(
  ctx: Context,
  projectId: number,
  template: LaunchParts['template'],
  launch: NewTask,
): Promise<Omit<LaunchParts, 'username' | 'program' | 'incomingVersion' | 'hasSecretAnswers'>> {
  await checkReferences(ctx, projectId, { inventory_id: [launch.inventory_id, hasInventory] });
  const { commit_hash: commit } = launch;
  if (commit && !(await hasRunCommit(ctx.db, template.id, commit))) {
    throw failFields(fieldError('commit_hash', 'field.reference'));
  }
  const repository = await requireRepository(ctx, projectId, template.repository_id);
  const inventoryId = launch.inventory_id ?? template.inventory_id;
  const inventory =
    inventoryId === null ? null : await requireInventory(ctx, projectId, inventoryId);
  const elsewhere = inventory?.type === 'file' ? inventory.repository_id : null;
  const environments: LaunchParts['environments'] = [];
  for (const id of template.environment_ids) {
    environments.push(await requireEnvironment(ctx, projectId, id));
  }
  return {
    template,
    repository,
    inventory,
    inventoryRepository:
      elsewhere === null ? null : await requireRepository(ctx, projectId, elsewhere),
    environments,
    project: await requireProject(ctx.db, projectId),
  };
}

/**
 * Stops a task. A waiting one stops at once; the runner sees to the others. Of one that has ended there
 * is nothing to stop.
 */
export async function stopTask(
  ctx: Context,
  projectId: number,
  id: number,
  force: boolean,
): Promise<void> {
  const task = await requireTask(ctx, projectId, id);
  if (isFinished(task.status)) return;
  await recordTask(ctx, 'task.stopped', task);
  // A task that has been claimed meanwhile belongs to the runner.
  const from: TaskStatus[] = ['waiting', 'waiting_confirmation', 'confirmed'];
  if (await endTask(ctx, task, 'stopped', { from })) {
    // It may have waited in the middle of its run, which is removed.
    ctx.hub.publish('task.stop-requested', { taskId: id, force });
    return;
  }
  // Without a move it is stopping already, or has finished in the meantime.
  await moveTask(ctx, task, 'stopping');
  ctx.hub.publish('task.stop-requested', { taskId: id, force });
}

/** Stops every unfinished task of a template, the newest first, so that none takes a freed slot. */
export async function stopAllTasks(
  ctx: Context,
  projectId: number,
  templateId: number,
  force: boolean,
): Promise<void> {
  await requireTemplate(ctx, projectId, templateId);
  const seen = new Set<number>();
  for (;;) {
    const all = await listUnfinished(ctx.db, projectId, templateId);
    const ids = all.filter((id) => !seen.has(id));
    // One that failed meanwhile may have left a further attempt.
    if (ids.length === 0) return;
    for (const id of ids) {
      seen.add(id);
      try {
        await stopTask(ctx, projectId, id, force);
      } catch (error) {
        // It has been deleted meanwhile.
        if (!(error instanceof AppError)) throw error;
      }
    }
  }
}

/** Deletes a finished task with its log. */
export async function removeTask(ctx: Context, projectId: number, id: number): Promise<void> {
  const task = await requireTask(ctx, projectId, id);
  await inTransaction(ctx, async (inner) => {
    await lockHosts(inner, projectId);
    const isDeleted = await deleteFinished(inner.db, projectId, id);
    if (!isDeleted) throw fail('task.wrong_status', { status: task.status });
    await forgetRuns(inner, projectId);
    await recordTask(inner, 'task.deleted', task);
  });
  // The templates show their last tasks.
  ctx.hub.publish('resource.changed', { projectId, noun: 'templates' });
}

/** With the lease of the runner that holds the task, if one does. */
type TaskKey = Pick<Task, 'id' | 'project_id'> & { lease?: number };

/**
 * Moves a task to another status; false when its present one does not allow that. `why` says why a task
 * waits for a confirmation that was approved otherwise.
 */
export async function moveTask(
  ctx: Context,
  task: TaskKey,
  to: TaskStatus,
  why: ConfirmationReason | null = null,
): Promise<boolean> {
  return inTransaction(ctx, async (inner) => {
    const change =
      to === 'waiting_confirmation' ? { confirmation_reason: why && JSON.stringify(why) } : {};
    const moved = await moveStatus(inner.db, task, { to }, change);
    if (!moved) return false;
    inner.hub.publish('task.changed', { projectId: task.project_id, taskId: task.id });
    if (to !== 'waiting_confirmation') return true;
    const { lease } = task;
    if (lease !== undefined) await markTime(inner, { id: task.id, lease }, 'wait');
    await raiseAlerts(inner, task.id, 'waiting');
    return true;
  });
}

interface EndOptions {
  /** The statuses from which it may end; absent: all that allow the move. */
  from?: TaskStatus[];
  exitCode?: number | null;
  /** Why it failed. */
  failure?: Failure | null;
}

/**
 * Ends a task: its last move. One that was told to stop ends as stopped, whatever came of it. Only the
 * end is stored here; what follows comes after it, and cannot take it back.
 */
export async function endTask(
  ctx: Context,
  task: TaskKey,
  to: 'success' | 'error' | 'stopped',
  { from, exitCode = null, failure = null }: EndOptions = {},
): Promise<boolean> {
  const { id, project_id: projectId } = task;
  const time = ctx.clock.now().toISOString();
  const told = {
    time,
    exitCode: keptExitCode(exitCode),
    failure: failure && JSON.stringify(failure),
  };
  const none = { time, exitCode: null, failure: null };
  const isEnded = await inTransaction(ctx, async (inner) => {
    const lines =
      (await endRow(inner.db, task, { to, from }, told)) ??
      (await endRow(inner.db, task, { to: 'stopped', from: from ?? ['stopping'] }, none));
    if (lines === null) return false;
    await leaveFollowUps(inner, id);
    inner.hub.publish('task.changed', { projectId, taskId: id });
    // Wakes those who follow the log: nothing more will come.
    inner.hub.publish('log.appended', { projectId, taskId: id, from: lines + 1, total: lines });
    inner.hub.publish('queue.changed', {});
    // Whoever has begun this transaction may still roll it back.
    if (ctx.db.isTransaction) inner.hub.publish('follow-up.added', {});
    return true;
  });
  if (isEnded && !ctx.db.isTransaction) await followEnd(ctx, task);
  return isEnded;
}

/** Does what follows from the end of a task. */
export const followEnd = (ctx: Context, task: TaskKey): Promise<void> =>
  followUp(ctx, task, [
    { name: 'record', work: recordEnd },
    { name: 'alerts', work: alertEnd },
    { name: 'next', work: goOn },
    { name: 'deploys', work: startDeploys },
  ]);

/** Launches the next attempt of a task that has failed, or nodes of its workflow. */
async function goOn(ctx: Context, ended: Task): Promise<void> {
  const failed = ended.status === 'error' ? await findRow(ctx.db, ended.id) : null;
  const isTriedAgain = failed !== null && (await tryAgain(ctx, failed));
  if (failed?.secret) await wipeSecret(ctx.db, ended.id);
  // First the run of the workflow, which others lock before they launch templates too.
  if (!isTriedAgain) await afterTask(ctx, startTask, ended);
}

/** Launches the deploys that follow a task by themselves. */
async function startDeploys(ctx: Context, task: Task): Promise<void> {
  if (task.status !== 'success' || task.dry_run) return;
  const { id, project_id: projectId } = task;
  for (const templateId of await listAutorun(ctx.db, projectId, task.template_id)) {
    const launch = newTask.parse({ template_id: templateId, build_task_id: id });
    try {
      await startTask(ctx, projectId, launch);
    } catch (error) {
      // A deploy that needs answers cannot start by itself; the build is none the worse.
      if (!(error instanceof AppError)) throw error;
      ctx.log.warn({ err: error, templateId }, 'automatic deploy failed to start');
    }
  }
}
