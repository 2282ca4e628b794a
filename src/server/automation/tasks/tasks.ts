// Launching and stopping tasks, and the moves of their status.

import type { Failure } from '#shared/words/task-failures.ts';
import { isFinished, type TaskStatus } from '#shared/task-status.ts';
import { newTask, type NewTask, type Task } from '#shared/api/tasks.ts';
import type { TaskSnapshot } from '#shared/api/task-snapshot.ts';
import type { Params } from '#shared/errors.ts';
import type { EventCode } from '#shared/events.ts';
import { raiseAlerts, type Occasion } from '../../alerts/alert-deliveries/raise-alerts.ts';
import { requireProgram } from '../apps/apps.ts';
import { byServer, sourceOf, type Context } from '../../context/context.ts';
import type { Row } from '../../db/tables.ts';
import { requireEnvironment } from '../../resources/environments/environments.ts';
import { record } from '../../events/events.ts';
import { AppError, fail, failFields, fieldError } from '../../lib/errors.ts';
import { forgetRuns, lockHosts, recordRun } from '../../resources/hosts/hosts.ts';
import { hasInventory, requireInventory } from '../../resources/inventories/inventories.ts';
import { requireProject } from '../../projects/projects.ts';
import { requireRepository } from '../../resources/repositories/repositories.ts';
import { toStored, withAddresses } from '../../resources/repositories/stored-address.ts';
import { checkReferences } from '../../resources/resource.ts';
import { inTransaction } from '../../context/transaction.ts';
import { countLaunch, listAutorun, requireTemplate } from '../templates/templates.ts';
import { findBuild } from './launch/find-build.ts';
import { checkLaunch } from './launch/launch-rules.ts';
import { findOutcome } from './results/host-counts.store.ts';
import { measureEnd } from './runs/measure.ts';
import { expectedSeconds } from './runs/progress.ts';
import { isLastAttempt, tryAgain } from './runs/retry.ts';
import { sealAnswers } from './runs/runner-tasks.ts';
import { markTime, traceEnd, traceOf } from './runs/trace.ts';
import { findTask } from './rows/shown-tasks.store.ts';
import { takeSnapshot, type LaunchParts } from './launch/snapshot.ts';
import { readAnswers } from './launch/survey.ts';
import { afterTask } from '../workflows/runs/after-task.ts';
import type { LaunchExtras } from '../workflows/runs/task-calls.ts';
import {
  deleteFinished,
  findProgress,
  findRow,
  hasRunCommit,
  insertTask,
  listUnfinished,
  moveStatus,
  updateLogBytes,
} from './rows/tasks.store.ts';
import { withReasons } from './queue/waiting-reasons.ts';

/** A task as people see it; null: the project has none of this id. */
export async function seeTask(ctx: Context, projectId: number, id: number): Promise<Task | null> {
  const task = await findTask(ctx.db, projectId, id);
  const [seen = null] = await withReasons(ctx, task ? [task] : []);
  return seen;
}

export async function requireTask(ctx: Context, projectId: number, id: number): Promise<Task> {
  const task = await seeTask(ctx, projectId, id);
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
  const answers = readAnswers(template, launch.environment, launch.secret, {
    extracted,
    secrets,
  });
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
    hub.publish('task', { projectId, taskId: created });
    hub.publish('queue', {});
    return created;
  });
  return requireTask(ctx, projectId, id);
}

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
    ctx.hub.publish('stop', { taskId: id, force });
    return;
  }
  // Without a move it is stopping already, or has finished in the meantime.
  await moveTask(ctx, task, 'stopping');
  ctx.hub.publish('stop', { taskId: id, force });
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
  ctx.hub.publish('changed', { projectId, noun: 'templates' });
}

/** With the lease of the runner that holds the task, if one does. */
type TaskKey = Pick<Task, 'id' | 'project_id'> & { lease?: number };

/** Moves a task to another status; false when its present one does not allow that. */
export async function moveTask(ctx: Context, task: TaskKey, to: TaskStatus): Promise<boolean> {
  return inTransaction(ctx, async (inner) => {
    const moved = await moveStatus(inner.db, task, { to });
    if (!moved) return false;
    inner.hub.publish('task', { projectId: task.project_id, taskId: task.id });
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

/** Ends a task: its last move. One that was told to stop ends as stopped, whatever came of it. */
export async function endTask(
  ctx: Context,
  task: TaskKey,
  to: 'success' | 'error' | 'stopped',
  { from, exitCode = null, failure = null }: EndOptions = {},
): Promise<boolean> {
  // The sealed answers have served their purpose.
  const change = { end: ctx.clock.now().toISOString(), secret: null };
  return inTransaction(ctx, async (inner) => {
    const failing = to === 'error' ? await findRow(inner.db, task.id) : null;
    const isAsAsked = await moveStatus(
      inner.db,
      task,
      { to, ...(from && { from }) },
      { ...change, exit_code: exitCode, failure: failure && JSON.stringify(failure) },
    );
    const isMoved =
      isAsAsked ||
      (await moveStatus(inner.db, task, { to: 'stopped', from: from ?? ['stopping'] }, change));
    if (!isMoved) return false;
    inner.hub.publish('task', { projectId: task.project_id, taskId: task.id });
    const lines = (await findProgress(inner.db, task.id))?.lines ?? 0;
    // Wakes those who follow the log: nothing more will come.
    const hint = { projectId: task.project_id, taskId: task.id, from: lines + 1, total: lines };
    inner.hub.publish('log', hint);
    inner.hub.publish('queue', {});
    await updateLogBytes(inner.db, task.id);
    await recordRun(inner, task);
    const ended = await recordEnd(inner, task);
    measureEnd(inner, ended);
    await traceEnd(inner, ended.id, { template: ended.tpl_alias, app: ended.tpl_app });
    const occasion = occasionOf(isAsAsked ? to : 'stopped', failing);
    const outcome = () => findOutcome(inner.db, task.id);
    if (occasion) await raiseAlerts(inner, task.id, occasion, outcome);
    await goOn(inner, ended, isAsAsked ? failing : null);
    return true;
  });
}

/** Launches what follows: deploys, the next attempt of one that failed, or nodes of its workflow. */
async function goOn(ctx: Context, ended: Task, failed: Row<'tasks'> | null): Promise<void> {
  const isTriedAgain = failed !== null && (await tryAgain(ctx, failed));
  // First the run of the workflow, which others lock before they launch templates too.
  if (!isTriedAgain) await afterTask(ctx, startTask, ended);
  if (ended.status === 'success' && !ended.dry_run) await startDeploys(ctx, ended);
}

/** An attempt that fails and is followed by another one is no news. */
function occasionOf(
  end: 'success' | 'error' | 'stopped',
  failing: Row<'tasks'> | null,
): Occasion | null {
  if (end === 'success') return 'succeeded';
  if (end === 'stopped') return 'stopped';
  return failing && isLastAttempt(failing) ? 'failed' : null;
}

/** Records the end; answers the task as it is then. */
async function recordEnd(ctx: Context, { id, project_id: projectId }: TaskKey): Promise<Task> {
  const task = await findTask(ctx.db, projectId, id);
  if (!task) throw fail('task.not_found');
  // Whoever stopped it did so before; it ends by itself.
  const code = task.dry_run ? 'task.dry_run_finished' : 'task.finished';
  await recordTask({ ...ctx, by: byServer }, code, task, { status: task.status });
  return task;
}

/** Launches the deploys that follow a task by themselves: exactly once, with its end. */
async function startDeploys(ctx: Context, task: Task): Promise<void> {
  const { id, project_id: projectId } = task;
  for (const templateId of await listAutorun(ctx.db, projectId, task.template_id)) {
    const launch = newTask.parse({ template_id: templateId, build_task_id: id });
    try {
      await startTask({ ...ctx, by: byServer }, projectId, launch);
    } catch (error) {
      // A deploy that needs answers cannot start by itself; the build is none the worse.
      if (!(error instanceof AppError)) throw error;
      ctx.log.warn({ err: error, templateId }, 'a deploy could not start by itself');
    }
  }
}
