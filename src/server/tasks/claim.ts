// Tasks on their way into the hands of the runner, and what it notes of them there.

import type { Task } from '#shared/api/tasks.ts';
import { runningStatuses, type TaskStatus } from '#shared/task-status.ts';
import type { Context } from '../context.ts';
import type { Row } from '../db/tables.ts';
import { listParked, updateStep } from './run.store.ts';
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
  /** Of what it runs; null: not known yet, or the files have no commits. */
  commitHash: string | null;
  log_lines: number;
  spool_offset: number;
  /** Which command of the run it has come to, counted from 1; 0: none has begun. */
  step: number;
  commands: string[];
  isConfirmed: boolean;
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
    if (busyTemplate(next, active)) continue;
    if (next.status === 'waiting' && next.requiresConfirmation) {
      await askForConfirmation(ctx, next);
      active.push({ ...next, status: 'waiting_confirmation' });
      continue;
    }
    if (fullLimit(ctx, next, active)) continue;
    const start = ctx.clock.now().toISOString();
    const row = await claimTask(ctx.db, next.id, { from: next.status, start });
    if (!row) continue;
    ctx.hub.publish('task', { projectId: row.project_id, taskId: row.id });
    return toClaimed(ctx, row);
  }
  return null;
}

type WaitingFor = NonNullable<Task['waiting_for']>;

/** The task of the same template that has to end first, unless they may run beside each other. */
function busyTemplate(next: QueuedTask, active: ActiveTask[]): WaitingFor | null {
  const other = active.find(
    ({ id, templateId }) => templateId === next.templateId && id !== next.id,
  );
  if (next.allowParallel || !other) return null;
  return { reason: 'template', task_id: other.id, limit: null };
}

/** The limit of the server or of the project that is reached. */
function fullLimit(ctx: Context, next: QueuedTask, active: ActiveTask[]): WaitingFor | null {
  const running = active.filter(({ status }) => runningStatuses.some((one) => one === status));
  const inProject = running.filter(({ projectId }) => projectId === next.projectId);
  const isReached = (limit: number, count: number): boolean => limit > 0 && count >= limit;
  if (isReached(next.projectLimit, inProject.length)) {
    return { reason: 'project', task_id: null, limit: next.projectLimit };
  }
  const limit = ctx.config.maxParallelTasks;
  return isReached(limit, running.length) ? { reason: 'server', task_id: null, limit } : null;
}

/** Says of the waiting ones why they wait: by the same rules by which they are taken. */
export async function withReasons(ctx: Context, tasks: Task[]): Promise<Task[]> {
  if (!tasks.some(({ status }) => status === 'waiting')) return tasks;
  const active = await listActive(ctx.db);
  const queued = new Map((await listQueued(ctx.db)).map((next) => [next.id, next]));
  return tasks.map((task) => {
    const next = task.status === 'waiting' ? queued.get(task.id) : undefined;
    const reason = next && (busyTemplate(next, active) ?? fullLimit(ctx, next, active));
    return { ...task, waiting_for: reason ?? null };
  });
}

async function askForConfirmation(ctx: Context, { id, projectId }: QueuedTask): Promise<void> {
  const move = { to: 'waiting_confirmation', from: ['waiting'] } as const;
  if (await moveStatus(ctx.db, id, { ...move, from: [...move.from] })) {
    ctx.hub.publish('task', { projectId, taskId: id });
  }
}

function toClaimed(ctx: Context, row: Row<'tasks'>): ClaimedTask {
  const { id, project_id, template_id, status, start, version, log_lines, spool_offset, step } =
    row;
  return {
    id,
    project_id,
    template_id,
    status,
    start,
    version,
    log_lines,
    spool_offset,
    step,
    commands: JSON.parse(row.commands) as string[],
    commitHash: row.commit_hash,
    isConfirmed: row.confirmed_at !== null,
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

/** The tasks that wait in the middle of a run; nobody has them in hand. */
export const listWaitingRuns = (ctx: Context): Promise<number[]> => listParked(ctx.db);

/** Notes that a command of a run is about to begin. */
export async function recordStep(
  ctx: Context,
  task: Pick<ClaimedTask, 'id' | 'project_id'>,
  step: { step: number; commands: string[] },
): Promise<void> {
  await updateStep(ctx.db, task.id, step);
  ctx.hub.publish('task', { projectId: task.project_id, taskId: task.id });
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
