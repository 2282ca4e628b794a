// Tasks on their way into the hands of the runner, and what it notes of them there.

import { runningStatuses, type TaskStatus } from '#shared/task-status.ts';
import type { Context } from '../context.ts';
import type { Row } from '../db/tables.ts';
import type { TaskSnapshot } from './snapshot.ts';
import type { Answers } from './survey.ts';
import {
  claimTask,
  findNewestVersion,
  listActive,
  listQueued,
  listRunningRows,
  moveStatus,
  updateCommit,
  updateVersion,
  type ActiveTask,
  type QueuedTask,
} from './tasks.store.ts';
import { nextVersion } from './version.ts';

const purpose = (projectId: number): string => `answers in project ${projectId}`;

/** Answers to secret variables, as they wait in the database. */
export function sealAnswers(ctx: Context, projectId: number, answers: Answers): string {
  return ctx.vault.seal(JSON.stringify(answers), purpose(projectId));
}

/** A task in the hands of the runner. */
export interface ClaimedTask {
  id: number;
  project_id: number;
  template_id: number;
  status: TaskStatus;
  start: string | null;
  version: string | null;
  log_lines: number;
  spool_offset: number;
  snapshot: TaskSnapshot;
  answers: Answers;
  secretAnswers: Answers;
}

/** Takes the next task that the limits allow, or null. */
export async function claimNext(ctx: Context): Promise<ClaimedTask | null> {
  const queued = await listQueued(ctx.db);
  if (queued.length === 0) return null;
  const active = await listActive(ctx.db);
  for (const next of queued) {
    const isTemplateBusy =
      !next.allowParallel &&
      active.some(({ id, templateId }) => templateId === next.templateId && id !== next.id);
    if (isTemplateBusy) continue;
    if (next.status === 'waiting' && next.requiresConfirmation) {
      await askForConfirmation(ctx, next);
      active.push({ ...next, status: 'waiting_confirmation' });
      continue;
    }
    if (isFull(ctx, next, active)) continue;
    const start = ctx.clock.now().toISOString();
    const row = await claimTask(ctx.db, next.id, { from: next.status, start });
    if (!row) continue;
    ctx.hub.publish('task', { projectId: row.project_id, taskId: row.id });
    return toClaimed(ctx, row);
  }
  return null;
}

/** Whether the server or the project runs as many tasks as it may. */
function isFull(ctx: Context, next: QueuedTask, active: ActiveTask[]): boolean {
  const running = active.filter(({ status }) => runningStatuses.some((one) => one === status));
  const nodeLimit = ctx.config.maxParallelTasks;
  if (nodeLimit > 0 && running.length >= nodeLimit) return true;
  const inProject = running.filter(({ projectId }) => projectId === next.projectId).length;
  return next.projectLimit > 0 && inProject >= next.projectLimit;
}

async function askForConfirmation(ctx: Context, { id, projectId }: QueuedTask): Promise<void> {
  const move = { to: 'waiting_confirmation', from: ['waiting'] } as const;
  if (await moveStatus(ctx.db, id, { ...move, from: [...move.from] })) {
    ctx.hub.publish('task', { projectId, taskId: id });
  }
}

function toClaimed(ctx: Context, row: Row<'tasks'>): ClaimedTask {
  const { id, project_id, template_id, status, start, version, log_lines, spool_offset } = row;
  return {
    id,
    project_id,
    template_id,
    status,
    start,
    version,
    log_lines,
    spool_offset,
    snapshot: JSON.parse(row.snapshot) as TaskSnapshot,
    answers: JSON.parse(row.environment) as Answers,
    secretAnswers: row.secret
      ? (JSON.parse(ctx.vault.open(row.secret, purpose(project_id))) as Answers)
      : {},
  };
}

/** The tasks that an earlier server had in its hands when it ended. */
export async function listLeftBehind(ctx: Context): Promise<ClaimedTask[]> {
  return (await listRunningRows(ctx.db)).map((row) => toClaimed(ctx, row));
}

/** Gives a build its version, when it begins. Two builds never get the same. */
export async function takeVersion(ctx: Context, task: ClaimedTask): Promise<string | null> {
  const { type, startVersion } = task.snapshot;
  if (type !== 'build' || startVersion === null || task.version !== null) return task.version;
  let version = nextVersion(startVersion, await findNewestVersion(ctx.db, task.template_id));
  while (!(await updateVersion(ctx.db, task.id, version))) {
    const next = nextVersion(startVersion, version);
    if (next === version) throw new Error(`The version ${version} is taken and has no number.`);
    version = next;
  }
  ctx.hub.publish('task', { projectId: task.project_id, taskId: task.id });
  return version;
}

/** Remembers what a task runs. */
export async function recordCommit(
  ctx: Context,
  task: Pick<ClaimedTask, 'id' | 'project_id'>,
  commit: { hash: string; message: string },
): Promise<void> {
  const change = { commit_hash: commit.hash, commit_message: commit.message.slice(0, 100) };
  await updateCommit(ctx.db, task.id, change);
  ctx.hub.publish('task', { projectId: task.project_id, taskId: task.id });
}
