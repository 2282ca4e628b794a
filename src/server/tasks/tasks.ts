// Launching and stopping tasks, and the moves of their status.

import { isFinished, type TaskStatus } from '#shared/task-status.ts';
import type { NewTask, Task } from '#shared/api/tasks.ts';
import type { Template } from '#shared/api/templates.ts';
import type { Context } from '../context.ts';
import { toFlag } from '../db/row.ts';
import type { Row } from '../db/tables.ts';
import { requireEnvironment } from '../environments/environments.ts';
import { fail, failFields, fieldError } from '../errors.ts';
import { hasInventory, requireInventory } from '../inventories/inventories.ts';
import { requireRepository } from '../repositories/repositories.ts';
import { checkReferences } from '../resource.ts';
import { inTransaction } from '../transaction.ts';
import { missingProgram } from '../system/programs.ts';
import { countLaunch, requireTemplate } from '../templates/templates.ts';
import { checkLaunch } from './launch-rules.ts';
import { takeSnapshot, type TaskSnapshot } from './snapshot.ts';
import { readAnswers, type Answers } from './survey.ts';
import {
  claimTask,
  findProgress,
  findTask,
  hasRunCommit,
  insertTask,
  listActive,
  listActiveRows,
  listTasks,
  listWaiting,
  moveStatus,
  updateCommit,
  type TaskFilter,
} from './tasks.store.ts';

const secretPurpose = (projectId: number): string => `answers in project ${projectId}`;

export async function requireTask(ctx: Context, projectId: number, id: number): Promise<Task> {
  const task = await findTask(ctx.db, projectId, id);
  if (!task) throw fail('task.not_found');
  return task;
}

export async function listTemplateTasks(
  ctx: Context,
  templateId: number,
  filter: TaskFilter,
): Promise<Task[]> {
  await requireTemplate(ctx, filter.projectId, templateId);
  return listTasks(ctx.db, { ...filter, templateId });
}

/** Puts a task into the queue. What it runs is frozen here. */
export async function startTask(
  ctx: Context,
  where: { projectId: number; userId: number | null },
  launch: NewTask,
): Promise<Task> {
  const { projectId, userId } = where;
  const template = await requireTemplate(ctx, projectId, launch.template_id);
  checkLaunch(launch, template);
  const answers = readAnswers(template.survey_vars, launch.environment, launch.secret);
  const program = await missingProgram(ctx.config, template.app);
  if (program) throw fail('template.app_unavailable', { program });
  const snapshot = await gather(ctx, projectId, template, launch);
  const hasSecret = Object.keys(answers.secret).length > 0;
  const id = await inTransaction(ctx, async ({ db, hub }) => {
    await countLaunch(db, projectId, template.id);
    const created = await insertTask(db, {
      project_id: projectId,
      template_id: template.id,
      user_id: userId,
      status: 'waiting',
      created: ctx.clock.now().toISOString(),
      message: launch.message,
      environment: JSON.stringify(answers.plain),
      secret: hasSecret
        ? ctx.vault.seal(JSON.stringify(answers.secret), secretPurpose(projectId))
        : null,
      debug: toFlag(launch.debug),
      dry_run: toFlag(launch.dry_run),
      diff: toFlag(launch.diff),
      playbook: launch.playbook ?? '',
      arguments: launch.arguments,
      git_branch: launch.git_branch,
      limit: launch.limit ?? '',
      tags: launch.tags ?? '',
      skip_tags: launch.skip_tags ?? '',
      inventory_id: launch.inventory_id ?? template.inventory_id,
      snapshot: JSON.stringify(snapshot),
    });
    hub.publish('task', { projectId, taskId: created });
    hub.publish('queue', {});
    return created;
  });
  return requireTask(ctx, projectId, id);
}

/** Reads everything that the task will run, refusing what is not of this project. */
async function gather(
  ctx: Context,
  projectId: number,
  template: Template,
  launch: NewTask,
): Promise<TaskSnapshot> {
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
  const environmentId = template.environment_id;
  return takeSnapshot(
    {
      template,
      repository,
      inventory,
      inventoryRepository:
        elsewhere === null ? null : await requireRepository(ctx, projectId, elsewhere),
      environment:
        environmentId === null ? null : await requireEnvironment(ctx, projectId, environmentId),
    },
    launch,
  );
}

/** Stops a task. A waiting one stops at once; the runner sees to the others. */
export async function stopTask(
  ctx: Context,
  projectId: number,
  id: number,
  force: boolean,
): Promise<void> {
  const task = await requireTask(ctx, projectId, id);
  if (isFinished(task.status)) throw fail('task.wrong_status', { status: task.status });
  // A task that has been claimed meanwhile belongs to the runner.
  if (await endTask(ctx, task, 'stopped', ['waiting'])) return;
  const moved = await moveTask(ctx, task, 'stopping');
  if (!moved) {
    // It is stopping already, or has finished in the meantime.
    const { status } = await requireTask(ctx, projectId, id);
    if (isFinished(status)) throw fail('task.wrong_status', { status });
  }
  ctx.hub.publish('stop', { taskId: id, force });
}

type TaskKey = Pick<Task, 'id' | 'project_id'>;

/** Moves a task to another status; false when its present one does not allow that. */
export async function moveTask(ctx: Context, task: TaskKey, to: TaskStatus): Promise<boolean> {
  const change = to === 'running' ? { start: ctx.clock.now().toISOString() } : {};
  const moved = await moveStatus(ctx.db, task.id, { to }, change);
  if (moved) ctx.hub.publish('task', { projectId: task.project_id, taskId: task.id });
  return moved;
}

/** Ends a task: its last move. One that was told to stop ends as stopped, whatever came of it. */
export async function endTask(
  ctx: Context,
  task: TaskKey,
  to: 'success' | 'error' | 'stopped',
  from?: TaskStatus[],
): Promise<boolean> {
  // The sealed answers have served their purpose.
  const change = { end: ctx.clock.now().toISOString(), secret: null };
  const moved =
    (await moveStatus(ctx.db, task.id, { to, ...(from && { from }) }, change)) ||
    (await moveStatus(ctx.db, task.id, { to: 'stopped', from: from ?? ['stopping'] }, change));
  if (moved) {
    ctx.hub.publish('task', { projectId: task.project_id, taskId: task.id });
    const lines = (await findProgress(ctx.db, task.id))?.lines ?? 0;
    // Wakes those who follow the log: nothing more will come.
    const hint = { projectId: task.project_id, taskId: task.id, from: lines + 1, total: lines };
    ctx.hub.publish('log', hint);
    ctx.hub.publish('queue', {});
  }
  return moved;
}

/** A task in the hands of the runner. */
export interface ClaimedTask {
  id: number;
  project_id: number;
  template_id: number;
  status: TaskStatus;
  start: string | null;
  log_lines: number;
  spool_offset: number;
  snapshot: TaskSnapshot;
  answers: Answers;
  secretAnswers: Answers;
}

/** Takes the next task that the limits allow, or null. */
export async function claimNext(ctx: Context): Promise<ClaimedTask | null> {
  const waiting = await listWaiting(ctx.db);
  if (waiting.length === 0) return null;
  const active = await listActive(ctx.db);
  const nodeLimit = ctx.config.maxParallelTasks;
  if (nodeLimit > 0 && active.length >= nodeLimit) return null;
  for (const next of waiting) {
    const inProject = active.filter(({ projectId }) => projectId === next.projectId).length;
    const isProjectFull = next.projectLimit > 0 && inProject >= next.projectLimit;
    const isTemplateBusy =
      !next.allowParallel && active.some(({ templateId }) => templateId === next.templateId);
    if (isProjectFull || isTemplateBusy) continue;
    const row = await claimTask(ctx.db, next.id);
    if (!row) continue;
    ctx.hub.publish('task', { projectId: row.project_id, taskId: row.id });
    return toClaimed(ctx, row);
  }
  return null;
}

function toClaimed(ctx: Context, row: Row<'tasks'>): ClaimedTask {
  const { id, project_id, template_id, status, start, log_lines, spool_offset } = row;
  return {
    id,
    project_id,
    template_id,
    status,
    start,
    log_lines,
    spool_offset,
    snapshot: JSON.parse(row.snapshot) as TaskSnapshot,
    answers: JSON.parse(row.environment) as Answers,
    secretAnswers: row.secret
      ? (JSON.parse(ctx.vault.open(row.secret, secretPurpose(project_id))) as Answers)
      : {},
  };
}

/** The tasks that an earlier server had in its hands when it ended. */
export async function listLeftBehind(ctx: Context): Promise<ClaimedTask[]> {
  return (await listActiveRows(ctx.db)).map((row) => toClaimed(ctx, row));
}

/** Remembers what a task runs. */
export async function recordCommit(
  ctx: Context,
  task: TaskKey,
  commit: { hash: string; message: string },
): Promise<void> {
  const change = { commit_hash: commit.hash, commit_message: commit.message.slice(0, 100) };
  await updateCommit(ctx.db, task.id, change);
  ctx.hub.publish('task', { projectId: task.project_id, taskId: task.id });
}
