// The capacity of all runners, and which of them can run a task.

import { isAlone, type Context } from '../context/context.ts';
import { hasSpaceForTasks } from '../../node/fs/disk-space.ts';
import type { Db } from '../db/open.ts';
import { isSilent, slotsOf } from './runners.ts';
import { countTasksOf, listOpen, lockRunner, type OpenRunner } from './runners.store.ts';

export interface RunnerCapacity {
  /** Null for the server with the embedded database. */
  id: number | null;
  name: string;
  /** The only project whose tasks it runs; null for all projects. */
  projectId: number | null;
  tags: string[];
  /** The maximum of concurrent tasks. */
  slots: number;
  running: number;
  /** Whether the disk of its data folder has room for new tasks. */
  hasRoom: boolean;
}

/** What decides on which runner a task can run. */
export interface WaitingTask {
  projectId: number;
  tags: string[];
  /** Whether the task has begun on this runner and can continue only there. */
  isBound: boolean;
  boundTo: number | null;
}

export const hasFreeSlot = ({ running, slots, hasRoom }: RunnerCapacity): boolean =>
  hasRoom && running < slots;

const toRunnerCapacity = (runner: OpenRunner): RunnerCapacity => ({
  id: runner.id,
  name: runner.name,
  projectId: runner.project_id,
  tags: runner.tags,
  running: runner.running,
  slots: slotsOf(runner) || Infinity,
  hasRoom: !runner.out_of_room,
});

/**
 * All available runners. On the embedded database this includes the runner beside the server,
 * unless the server only serves people.
 */
export async function listRunnerCapacities(ctx: Context): Promise<RunnerCapacity[]> {
  const { config, db } = ctx;
  const open = await listOpen(db);
  const listed = open.flatMap((runner) => (isSilent(runner) ? [] : [toRunnerCapacity(runner)]));
  if (!isAlone(ctx) || config.role === 'web') return listed;
  const own = {
    id: null,
    name: config.serverName,
    projectId: null,
    tags: config.runnerTags,
    slots: config.maxParallelTasks || Infinity,
    running: await countTasksOf(db, null),
    hasRoom: hasSpaceForTasks(config),
  };
  return [own, ...listed];
}

/** A runner with tags runs only tasks that require tags, so that it gets the keys of few tasks. */
const hasTags = ({ tags }: RunnerCapacity, required: string[]): boolean =>
  required.length === 0 ? tags.length === 0 : required.every((tag) => tags.includes(tag));

/** The runners that can run a task, whether they are free or not. */
export function capacitiesFor(
  all: RunnerCapacity[],
  { projectId, tags, isBound, boundTo }: WaitingTask,
): RunnerCapacity[] {
  // The runner of a project gets the secrets of this project's tasks, and of no others.
  const runners = all.filter((one) => one.projectId === null || one.projectId === projectId);
  const isRunnerKnown = boundTo !== null || runners.some(({ id }) => id === null);
  return isBound && isRunnerKnown
    ? runners.filter(({ id }) => id === boundTo)
    : runners.filter((runner) => hasTags(runner, tags));
}

/**
 * The runner with the fewest tasks, chosen in the transaction that assigns the task. Null if another
 * server has taken its last slot; its count of tasks is then corrected.
 */
export async function chooseRunner(
  db: Db,
  runners: RunnerCapacity[],
): Promise<RunnerCapacity | null> {
  const [best] = runners.filter(hasFreeSlot).toSorted((one, other) => one.running - other.running);
  if (!best || best.id === null) return best ?? null;
  // The count is a statement after the lock, so that it sees what others have committed.
  if (await lockRunner(db, best.id)) best.running = await countTasksOf(db, best.id);
  else best.slots = 0;
  return hasFreeSlot(best) ? best : null;
}
