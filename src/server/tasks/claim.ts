// Tasks on their way into the hands of the runner, and what it notes of them there.

import type { Task } from '#shared/api/tasks.ts';
import type { TaskStatus } from '#shared/task-status.ts';
import { raiseAlerts } from '../alert-deliveries/raise-alerts.ts';
import type { Config } from '../config.ts';
import { isAlone, type Context } from '../context.ts';
import type { Row } from '../db/tables.ts';
import { chooseHere, countSlots } from '../runners/runners.ts';
import { inTransaction } from '../transaction.ts';
import { listLeases, listParked, listUnconfirmedRows, takeBack, updateStep } from './run.store.ts';
import type { TaskSnapshot } from './snapshot.ts';
import type { Answers } from './survey.ts';
import {
  countRunning,
  findNextTry,
  listDue,
  listRunningRows,
  listTurns,
  lockProject,
  takeTask,
  type QueuedTask,
} from './queue.store.ts';
import { findNewestVersion, findRow, updateCommit, updateVersion } from './tasks.store.ts';
import { nextVersion } from './version.ts';

export const answersPurpose = (projectId: number): string => `answers in project ${projectId}`;

/** Answers to secret variables, as they wait in the database. */
export function sealAnswers(ctx: Context, projectId: number, answers: Answers): string {
  return ctx.vault.seal(JSON.stringify(answers), answersPurpose(projectId));
}

/** A task in the hands of the runner. */
export interface ClaimedTask {
  id: number;
  project_id: number;
  template_id: number;
  lease: number;
  /** Null: the server that has the embedded database. */
  runnerId: number | null;
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
  attempt: number;
  attempts: number;
  snapshot: TaskSnapshot;
  answers: Answers;
}

/** Where tasks can go. */
export interface Places {
  /** Tasks that all runners together may have at once. */
  slots: (ctx: Context) => Promise<number>;
  /** The runner for a task, in the transaction that takes it; null: none can have it at present. */
  choose: (ctx: Context, task: QueuedTask) => Promise<{ runnerId: number | null } | null>;
  /** Tells the runner, with the end of the transaction. */
  give: (ctx: Context, task: Row<'tasks'>) => Promise<void>;
}

/** One that only serves people leaves all tasks to others. */
const ownSlots = ({ role, maxParallelTasks }: Config): number =>
  role === 'web' ? 0 : maxParallelTasks || Infinity;

/** Of a server that is alone with its database: itself, and runners without one. */
export const onlyHere: Places = {
  slots: async ({ config, db }) => ownSlots(config) + (await countSlots(db)),
  choose({ config, db }, { isBound, boundTo }) {
    const own = { slots: ownSlots(config), mustBe: isBound && boundTo === null };
    return chooseHere(db, own, boundTo);
  },
  give({ hub }, { runner_id: runnerId }) {
    if (runnerId !== null) hub.publish('given', { runnerId });
    return Promise.resolve();
  },
};

const pageSize = 100;

/** Takes what the limits allow, in the order of launch, and hands it over one by one. */
export async function* claimDue(ctx: Context, places = onlyHere): AsyncGenerator<ClaimedTask> {
  const now = ctx.clock.now().toISOString();
  const limits = await openLimits(ctx, places);
  // Templates whose tasks run alone and of which one has been taken since the page was read.
  const busy = new Set<number>();
  for (let after = 0; ;) {
    const page = await listDue(ctx.db, { now, after, limit: pageSize, ...limits.full() });
    for (const next of page) {
      if (busy.has(next.templateId) || (!next.asksFirst && limits.isReached(next))) continue;
      const row = await take(ctx, places, next, now);
      if (!row) continue;
      if (!next.allowParallel) busy.add(next.templateId);
      ctx.hub.publish('task', { projectId: row.project_id, taskId: row.id });
      if (next.asksFirst) continue;
      limits.count(next);
      yield toClaimed(row);
    }
    const last = page.at(-1);
    if (!last || page.length < pageSize) return;
    after = last.id;
  }
}

async function take(
  ctx: Context,
  places: Places,
  next: QueuedTask,
  now: string,
): Promise<Row<'tasks'> | null> {
  return inTransaction(ctx, async (inner) => {
    await lockProject(inner.db, next.projectId);
    if (next.asksFirst) {
      const row = await takeTask(inner.db, next, { to: 'waiting_confirmation' }, now);
      if (row) await raiseAlerts(inner, row.id, 'waiting');
      return row;
    }
    const place = await places.choose(inner, next);
    if (!place) return null;
    const to = next.status === 'waiting' ? 'starting' : 'running';
    const row = await takeTask(inner.db, next, { to, ...place }, now);
    if (row) await places.give(inner, row);
    return row;
  });
}

const totalOf = (running: Map<number, number>): number =>
  [...running.values()].reduce((sum, count) => sum + count, 0);

/** The slots of server and projects, as one round of taking fills them. */
async function openLimits(ctx: Context, places: Places) {
  const running = await countRunning(ctx.db);
  const slots = await places.slots(ctx);
  const fullProjects = new Set<number>();
  let total = totalOf(running);
  const isServerFull = (): boolean => total >= slots;
  return {
    full: () => ({ isServerFull: isServerFull(), fullProjects: [...fullProjects] }),
    isReached({ projectId, projectLimit }: QueuedTask): boolean {
      const isFull = projectLimit > 0 && (running.get(projectId) ?? 0) >= projectLimit;
      // From the next page on its tasks are not even read.
      if (isFull) fullProjects.add(projectId);
      return isFull || isServerFull();
    },
    count({ projectId }: QueuedTask): void {
      running.set(projectId, (running.get(projectId) ?? 0) + 1);
      total += 1;
    },
  };
}

/** When to look again although nothing has happened: a task waits for the time of its next try. */
export async function nextTry(ctx: Context, after: Date): Promise<Date | null> {
  const time = await findNextTry(ctx.db, after.toISOString());
  return time === null ? null : new Date(time);
}

type WaitingFor = NonNullable<Task['waiting_for']>;

type InQueue = Pick<Task, 'status' | 'project_id' | 'template_id' | 'not_before'>;
type WithReason<T> = T & Pick<Task, 'waiting_for'>;

/** Says of the waiting ones why they wait: by the same rules by which they are taken. */
export async function withReasons<T extends InQueue>(
  ctx: Context,
  tasks: T[],
): Promise<WithReason<T>[]> {
  const waiting = tasks.filter(({ status }) => status === 'waiting');
  if (waiting.length === 0) return tasks.map((task) => ({ ...task, waiting_for: null }));
  const templateIds = [...new Set(waiting.map((task) => task.template_id))];
  const turns = await listTurns(ctx.db, templateIds);
  const running = await countRunning(ctx.db);
  const total = totalOf(running);
  const slots = await (isAlone(ctx) ? onlyHere.slots(ctx) : countSlots(ctx.db));
  const now = ctx.clock.now().toISOString();
  const reasonOf = (task: T): WaitingFor | null => {
    const turn = turns.get(task.template_id);
    const none = { task_id: null, limit: null, until: null };
    if (task.not_before && task.not_before > now) {
      return { ...none, reason: 'retry', until: task.not_before };
    }
    if (turn && !turn.allowParallel && turn.activeId !== null) {
      return { ...none, reason: 'template', task_id: turn.activeId };
    }
    const limit = turn?.projectLimit ?? 0;
    if (limit > 0 && (running.get(task.project_id) ?? 0) >= limit) {
      return { ...none, reason: 'project', limit };
    }
    if (slots === 0) return { ...none, reason: 'runner' };
    return total >= slots ? { ...none, reason: 'server', limit: slots } : null;
  };
  return tasks.map((task) => ({
    ...task,
    waiting_for: task.status === 'waiting' ? reasonOf(task) : null,
  }));
}

function toClaimed(row: Row<'tasks'>): ClaimedTask {
  const { id, project_id, template_id, lease, status, start, version, log_lines, spool_offset } =
    row;
  const { attempt, attempts, step } = row;
  return {
    attempt,
    attempts,
    id,
    project_id,
    template_id,
    lease,
    runnerId: row.runner_id,
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
  };
}

/** Opens the answers to secret variables that a task was launched with. */
export async function openAnswers(
  ctx: Context,
  { id, project_id: projectId }: Pick<ClaimedTask, 'id' | 'project_id'>,
): Promise<Answers> {
  const sealed = (await findRow(ctx.db, id))?.secret;
  return sealed ? (JSON.parse(ctx.vault.open(sealed, answersPurpose(projectId))) as Answers) : {};
}

/** The tasks that are in the hands of a runner, except those that it knows of. */
export async function listHeld(
  ctx: Context,
  runnerId: number | null,
  choice: { except?: number[]; only?: number } = {},
): Promise<ClaimedTask[]> {
  const rows = await listRunningRows(ctx.db, runnerId, choice);
  return rows.map(toClaimed);
}

/** Those of the tasks that belong to somebody else by now. */
export async function listTaken(
  ctx: Context,
  held: Pick<ClaimedTask, 'id' | 'lease'>[],
): Promise<number[]> {
  const leases = await listLeases(
    ctx.db,
    held.map(({ id }) => id),
  );
  return held.filter(({ id, lease }) => leases.get(id) !== lease).map(({ id }) => id);
}

/** Takes a task from a runner that is gone; null: it is not that runner's any more. */
export async function takeFromLost(
  ctx: Context,
  task: Pick<ClaimedTask, 'id' | 'project_id' | 'lease'>,
): Promise<{ isWaiting: boolean; lease: number } | null> {
  return inTransaction(ctx, async (inner) => {
    const taken = await takeBack(inner.db, task);
    if (taken?.isWaiting) {
      inner.hub.publish('task', { projectId: task.project_id, taskId: task.id });
      inner.hub.publish('queue', {});
    }
    return taken;
  });
}

/** The tasks that have waited for a confirmation since before this time. */
export const listUnconfirmed = (ctx: Context, since: Date) =>
  listUnconfirmedRows(ctx.db, since.toISOString());

/** The tasks that wait in the middle of a run; nobody has them in hand. */
export const listWaitingRuns = (ctx: Context): Promise<number[]> => listParked(ctx.db);

/** Those of them that a runner has begun. */
export const listHeldParked = (ctx: Context, runnerId: number): Promise<number[]> =>
  listParked(ctx.db, runnerId);

/** Notes that a command of a run is about to begin. */
export async function recordStep(
  ctx: Context,
  task: Pick<ClaimedTask, 'id' | 'project_id' | 'lease'>,
  step: { step: number; commands: string[] },
): Promise<void> {
  await updateStep(ctx.db, task, step);
  ctx.hub.publish('task', { projectId: task.project_id, taskId: task.id });
}

/** Gives a build its version, when it begins. Two builds never get the same. */
export async function takeVersion(ctx: Context, task: ClaimedTask): Promise<string | null> {
  const { type, startVersion } = task.snapshot;
  if (type !== 'build' || startVersion === null || task.version !== null) return task.version;
  let version = nextVersion(startVersion, await findNewestVersion(ctx.db, task.template_id));
  while (!(await updateVersion(ctx.db, task, version))) {
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
  task: Pick<ClaimedTask, 'id' | 'project_id' | 'lease'>,
  commit: { hash: string; message: string },
): Promise<void> {
  const change = { commit_hash: commit.hash, commit_message: commit.message.slice(0, 100) };
  await updateCommit(ctx.db, task, change);
  ctx.hub.publish('task', { projectId: task.project_id, taskId: task.id });
}
