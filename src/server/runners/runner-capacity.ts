// The runners that can execute tasks, and their free slots.

import type { ExecutionKind } from '#shared/api/execution-environments.ts';
import { isAlone, type Context } from '../context/context.ts';
import { hasSpaceForTasks } from '../../node/fs/disk-space.ts';
import type { Db } from '../db/open.ts';
import type { Owner } from '../db/resource.ts';
import { kindsOf, ownEngine } from './container-engines.ts';
import { isSilent, slotsOf } from './runners.ts';
import { countTasksOf, listOpen, lockRunner, type OpenRunner } from './runners.store.ts';

export interface RunnerCapacity {
  /** The id of the runner; null for the server with the embedded database. */
  id: number | null;
  name: string;
  /** Null for all projects. */
  projectId: number | null;
  tags: string[];
  slots: number;
  running: number;
  /** Whether the data folder has space for new tasks. */
  hasRoom: boolean;
  /** The tasks that it executes, by the kind of their execution environments. */
  kinds: readonly ExecutionKind[];
}

/** The properties of a task that restrict its runners. */
export interface WaitingTask {
  projectId: number;
  tags: string[];
  /** The kind of its execution environment. */
  executionKind: ExecutionKind;
  /** Whether the task has started, and can continue only on this runner. */
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
  kinds: kindsOf(runner.container_engine),
});

/** All available runners, including the one beside a server with the embedded database. */
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
    kinds: kindsOf(ownEngine(ctx)),
  };
  return [own, ...listed];
}

/** A dedicated runner receives only secrets of its project. */
export const isForProject = ({ projectId: own }: RunnerCapacity, projectId: Owner): boolean =>
  own === null || own === projectId;

/** The tasks that runners of the project execute; null: runners for all projects. */
export async function listKinds(ctx: Context, projectId: Owner): Promise<ExecutionKind[]> {
  const all = await listRunnerCapacities(ctx);
  return all.filter((one) => isForProject(one, projectId)).flatMap(({ kinds }) => kinds);
}

/** A tagged runner rejects untagged tasks, so that they do not share its secrets. */
const hasTags = ({ tags }: RunnerCapacity, wanted: string[]): boolean =>
  wanted.length === 0 ? tags.length === 0 : wanted.every((tag) => tags.includes(tag));

/** The runners that can execute a task, with or without free slots. */
export function capacitiesFor(
  all: RunnerCapacity[],
  { projectId, tags, executionKind, isBound, boundTo }: WaitingTask,
): RunnerCapacity[] {
  const candidates = all.filter((one) => isForProject(one, projectId));
  const isRunnerKnown = boundTo !== null || candidates.some(({ id }) => id === null);
  return isBound && isRunnerKnown
    ? candidates.filter(({ id }) => id === boundTo)
    : candidates.filter((one) => hasTags(one, tags) && one.kinds.includes(executionKind));
}

/** The runner with the fewest tasks; null if another server took its slot. Corrects its count of tasks. */
export async function chooseRunner(
  db: Db,
  candidates: RunnerCapacity[],
): Promise<RunnerCapacity | null> {
  const [best] = candidates
    .filter(hasFreeSlot)
    .toSorted((one, other) => one.running - other.running);
  if (!best || best.id === null) return best ?? null;
  // Counted after the lock, so that committed assignments are visible.
  if (await lockRunner(db, best.id)) best.running = await countTasksOf(db, best.id);
  else best.slots = 0;
  return hasFreeSlot(best) ? best : null;
}
