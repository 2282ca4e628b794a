// Assigns waiting tasks to runners, within the limits of projects, templates and runners.

import { executionKinds } from '#shared/api/execution-environments.ts';
import { raiseAlerts } from '../../../alerts/alert-deliveries/raise-alerts.ts';
import type { Context } from '../../../context/context.ts';
import type { HeldRow } from '../runs/held-rows.store.ts';
import {
  chooseRunner,
  hasFreeSlot,
  listRunnerCapacities,
  capacitiesFor,
  type RunnerCapacity,
} from '../../../runners/runner-capacity.ts';
import { inTransaction } from '../../../context/transaction.ts';
import { mayBegin } from './launch-rights.ts';
import { askSecondPerson, type LauncherRef } from './launch-rights.store.ts';
import {
  countRunning,
  findNextTry,
  hasQueued,
  listDue,
  lockProject,
  takeTask,
  type QueuedTask,
} from '../queue/queue.store.ts';

export type ListPlaces = (ctx: Context) => Promise<RunnerCapacity[]>;

const MAX_CONCURRENT = 100;

/**
 * Assigns tasks to runners in the order of launch, and yields each assigned one. Returns whether any task
 * was in the queue.
 */
export async function* admitDue(
  ctx: Context,
  places: ListPlaces = listRunnerCapacities,
): AsyncGenerator<HeldRow, boolean> {
  if (!(await hasQueued(ctx.db))) return false;
  const now = ctx.clock.now().toISOString();
  const limits = openLimits();
  // Templates without parallel tasks of which one was assigned since the page was read.
  const busy = new Set<number>();
  for (let after = 0; ;) {
    limits.renew(await places(ctx));
    const limit = limits.pageSize();
    const page = await listDue(ctx.db, { now, after, limit, ...limits.full() });
    if (page.some(({ projectLimit }) => projectLimit > 0)) await limits.countFirst(ctx);
    for (const next of page) {
      if (busy.has(next.templateId)) continue;
      const row = await takeIfFree(ctx, limits, next);
      if (!row) continue;
      if (!next.allowParallel) busy.add(next.templateId);
      ctx.hub.publish('task.changed', { projectId: row.project_id, taskId: row.id });
      if (row.status !== 'waiting_confirmation') yield row;
    }
    const last = page.at(-1);
    if (!last || page.length < limit) return true;
    after = last.id;
  }
}

async function takeIfFree(ctx: Context, limits: Limits, next: QueuedTask): Promise<HeldRow | null> {
  const isFree = next.asksFirst || limits.freeFor(next).length > 0;
  const begin = isFree && next.status === 'waiting' ? await mayBegin(ctx, next.id) : 'free';
  if (begin === 'ended') return null;
  if (begin !== 'free') return holdForConfirmation(ctx, next, begin.notConfirmedBy);
  if (next.asksFirst) return holdForConfirmation(ctx, next);
  // Another server may have taken the last slot of the best runner, and then of the next one.
  for (;;) {
    const free = limits.freeFor(next);
    if (free.length === 0) return null;
    const taken = await take(ctx, free, next);
    if (taken === 'elsewhere') continue;
    if (taken) limits.count(next, taken.place);
    return taken && taken.row;
  }
}

/** `notConfirmedBy`: whose own confirmation does not count; null: anybody's does. */
function holdForConfirmation(
  ctx: Context,
  next: QueuedTask,
  notConfirmedBy: LauncherRef | null = null,
) {
  return inTransaction(ctx, async (inner) => {
    await lockProject(inner.db, next.projectId);
    if (notConfirmedBy !== null) await askSecondPerson(inner.db, next.id, notConfirmedBy);
    const row = await takeTask(inner.db, next, { to: 'waiting_confirmation' });
    if (row) await raiseAlerts(inner, row.id, 'waiting');
    return row;
  });
}

/** `elsewhere`: another server has taken the last slot of the best runner. */
function take(
  ctx: Context,
  free: RunnerCapacity[],
  next: QueuedTask,
): Promise<{ row: HeldRow; place: RunnerCapacity } | 'elsewhere' | null> {
  return inTransaction(ctx, async (inner) => {
    await lockProject(inner.db, next.projectId);
    const place = await chooseRunner(inner.db, free);
    if (!place) return 'elsewhere';
    const to = next.status === 'waiting' ? 'starting' : 'running';
    // The current time, because this task may use the slot of one that ended during this round.
    const start = inner.clock.now().toISOString();
    const runner = { runnerId: place.id, runnerName: place.name };
    const row = await takeTask(inner.db, next, { to, start, ...runner });
    if (!row) return null;
    inner.hub.publish('task.assigned', { runnerId: place.id });
    return { row, place };
  });
}

type Limits = ReturnType<typeof openLimits>;

/** The slots of projects and runners during one round. */
function openLimits() {
  /** By project; null until a project with a limit is seen. */
  let running: Map<number, number> | null = null;
  const fullProjects = new Set<number>();
  // By kind and tags, and for projects with runners of their own apart.
  const fullTags = new Set<string>();
  let places: RunnerCapacity[] = [];
  const ownRunners = (): number[] =>
    places.flatMap(({ projectId }) => (projectId === null ? [] : [projectId]));
  const keyOf = ({ projectId, tags, executionKind }: QueuedTask): string =>
    [
      ...(ownRunners().includes(projectId) ? [projectId] : []),
      executionKind,
      JSON.stringify(tags),
    ].join(' ');
  return {
    renew(now: RunnerCapacity[]): void {
      places = now;
    },
    async countFirst({ db }: Context): Promise<void> {
      running ??= await countRunning(db);
    },
    /** More than the free slots, because some of the first tasks may not be eligible. */
    pageSize(): number {
      const free = places
        .filter(hasFreeSlot)
        .reduce((sum, one) => sum + one.slots - one.running, 0);
      return free === 0 ? MAX_CONCURRENT : Math.min(2 * free + 8, MAX_CONCURRENT);
    },
    // The next page is read without tasks that have no free slot.
    full: () => ({
      fullKinds: executionKinds.filter(
        (kind) => !places.some((one) => one.kinds.includes(kind) && hasFreeSlot(one)),
      ),
      fullProjects: [...fullProjects],
      fullTags: [...fullTags].filter((key) => !/^\d/.test(key)),
      ownRunners: [...new Set(ownRunners())],
    }),
    /** The runners with a free slot for the task. */
    freeFor(task: QueuedTask): RunnerCapacity[] {
      const { projectId, projectLimit, isBound } = task;
      if (projectLimit > 0 && (running?.get(projectId) ?? 0) >= projectLimit) {
        fullProjects.add(projectId);
        return [];
      }
      const key = keyOf(task);
      // Preserve FIFO order per kind and tag set.
      if (!isBound && fullTags.has(key)) return [];
      const free = capacitiesFor(places, task).filter(hasFreeSlot);
      if (free.length === 0 && !isBound) fullTags.add(key);
      return free;
    },
    count({ projectId }: QueuedTask, place: RunnerCapacity): void {
      running?.set(projectId, (running.get(projectId) ?? 0) + 1);
      place.running += 1;
    },
  };
}

/** The time of the next retry after this one. */
export async function nextTry(ctx: Context, after: Date): Promise<Date | null> {
  const time = await findNextTry(ctx.db, after.toISOString());
  return time === null ? null : new Date(time);
}
