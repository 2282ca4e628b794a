// Tasks on their way into the hands of the runner, and what it notes of them there.

import type { TaskStatus } from '#shared/task-status.ts';
import { raiseAlerts } from '../alert-deliveries/raise-alerts.ts';
import type { Context } from '../context.ts';
import type { Row } from '../db/tables.ts';
import { choosePlace, isFree, placesFor, placesHere, type Place } from '../runners/places.ts';
import { inTransaction } from '../transaction.ts';
import { listLeases, listParked, listUnconfirmedRows, takeBack, updateStep } from './run.store.ts';
import type { TaskSnapshot } from './snapshot.ts';
import type { Answers } from './survey.ts';
import {
  countRunning,
  findNextTry,
  listDue,
  listRunningRows,
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
  /** Name of the server that runs it. */
  runnerName: string;
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
  list: (ctx: Context) => Promise<Place[]>;
  /** Tells the runner, with the end of the transaction. */
  give: (ctx: Context, task: Row<'tasks'>) => Promise<void>;
}

/** Of a server that is alone with its database: itself, and runners without one. */
export const onlyHere: Places = {
  list: placesHere,
  give({ hub }, { runner_id: runnerId }) {
    if (runnerId !== null) hub.publish('given', { runnerId });
    return Promise.resolve();
  },
};

const pageSize = 100;

/** Takes what the limits allow, in the order of launch, and hands it over one by one. */
export async function* claimDue(ctx: Context, places = onlyHere): AsyncGenerator<ClaimedTask> {
  const now = ctx.clock.now().toISOString();
  const limits = await openLimits(ctx);
  // Templates whose tasks run alone and of which one has been taken since the page was read.
  const busy = new Set<number>();
  for (let after = 0; ;) {
    limits.renew(await places.list(ctx));
    const page = await listDue(ctx.db, { now, after, limit: pageSize, ...limits.full() });
    for (const next of page) {
      if (busy.has(next.templateId)) continue;
      const row = await takeIfFree(ctx, { places, limits }, next, now);
      if (!row) continue;
      if (!next.allowParallel) busy.add(next.templateId);
      ctx.hub.publish('task', { projectId: row.project_id, taskId: row.id });
      if (!next.asksFirst) yield toClaimed(row);
    }
    const last = page.at(-1);
    if (!last || page.length < pageSize) return;
    after = last.id;
  }
}

interface Round {
  places: Places;
  limits: Limits;
}

async function takeIfFree(
  ctx: Context,
  { places, limits }: Round,
  next: QueuedTask,
  now: string,
): Promise<Row<'tasks'> | null> {
  if (next.asksFirst) return holdForConfirmation(ctx, next, now);
  // Another server may be quicker with one place, and so with the next.
  for (;;) {
    const free = limits.freeFor(next);
    if (free.length === 0) return null;
    const taken = await take(ctx, { give: places.give, free }, next, now);
    if (taken === 'elsewhere') continue;
    if (taken) limits.count(next, taken.place);
    return taken && taken.row;
  }
}

function holdForConfirmation(ctx: Context, next: QueuedTask, now: string) {
  return inTransaction(ctx, async (inner) => {
    await lockProject(inner.db, next.projectId);
    const row = await takeTask(inner.db, next, { to: 'waiting_confirmation' }, now);
    if (row) await raiseAlerts(inner, row.id, 'waiting');
    return row;
  });
}

/** `elsewhere`: the best of the places is free no more. */
function take(
  ctx: Context,
  { give, free }: Pick<Places, 'give'> & { free: Place[] },
  next: QueuedTask,
  now: string,
): Promise<{ row: Row<'tasks'>; place: Place } | 'elsewhere' | null> {
  return inTransaction(ctx, async (inner) => {
    await lockProject(inner.db, next.projectId);
    const place = await choosePlace(inner.db, free);
    if (!place) return 'elsewhere';
    const to = next.status === 'waiting' ? 'starting' : 'running';
    const row = await takeTask(
      inner.db,
      next,
      { to, runnerId: place.id, runnerName: place.name },
      now,
    );
    if (!row) return null;
    await give(inner, row);
    return { row, place };
  });
}

type Limits = Awaited<ReturnType<typeof openLimits>>;

/** The slots of projects and places, as one round of taking fills them. */
async function openLimits(ctx: Context) {
  const running = await countRunning(ctx.db);
  const fullProjects = new Set<number>();
  const fullTags = new Set<string>();
  let places: Place[] = [];
  return {
    renew(now: Place[]): void {
      places = now;
    },
    // From the next page on, what has no room is not even read.
    full: () => ({
      isServerFull: !places.some(isFree),
      fullProjects: [...fullProjects],
      fullTags: [...fullTags],
    }),
    /** The places that can take the task at present. */
    freeFor(task: QueuedTask): Place[] {
      const { projectId, projectLimit, isBound } = task;
      if (projectLimit > 0 && (running.get(projectId) ?? 0) >= projectLimit) {
        fullProjects.add(projectId);
        return [];
      }
      const tags = JSON.stringify(task.tags);
      // It would pass those that were launched before it.
      if (!isBound && fullTags.has(tags)) return [];
      const free = placesFor(places, task).filter(isFree);
      if (free.length === 0 && !isBound) fullTags.add(tags);
      return free;
    },
    count({ projectId }: QueuedTask, place: Place): void {
      running.set(projectId, (running.get(projectId) ?? 0) + 1);
      place.running += 1;
    },
  };
}

/** When to look again although nothing has happened: a task waits for the time of its next try. */
export async function nextTry(ctx: Context, after: Date): Promise<Date | null> {
  const time = await findNextTry(ctx.db, after.toISOString());
  return time === null ? null : new Date(time);
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
    runnerName: row.runner_name,
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
