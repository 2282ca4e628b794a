// The places where tasks can run, and which of them suit a task.

import { isAlone, type Context } from '../context/context.ts';
import type { Db } from '../db/open.ts';
import { isUsable, slotsOf } from './runners.ts';
import { countTasksOf, listSeen, lockRunner } from './runners.store.ts';

export interface Place {
  /** Of a runner; null: the server that has the embedded database. */
  id: number | null;
  name: string;
  /** The only project whose tasks it takes; null: those of all. */
  projectId: number | null;
  tags: string[];
  /** Tasks that it may have at once. */
  slots: number;
  running: number;
}

/** What decides where a task can go. */
export interface Asking {
  projectId: number;
  tags: string[];
  /** It goes on with what it has begun, on this runner. */
  isBound: boolean;
  boundTo: number | null;
}

export const isFree = ({ running, slots }: Place): boolean => running < slots;

/**
 * All runners that are there. On the embedded database the runner beside the server is one of them,
 * unless the server only serves people.
 */
export async function listPlaces(ctx: Context): Promise<Place[]> {
  const { config, db } = ctx;
  const listed = (await listSeen(db)).filter(isUsable).map((runner) => ({
    id: runner.id,
    name: runner.name,
    projectId: runner.project_id,
    tags: runner.tags,
    running: runner.running,
    slots: slotsOf(runner) || Infinity,
  }));
  if (!isAlone(ctx) || config.role === 'web') return listed;
  const own = {
    id: null,
    name: config.serverName,
    projectId: null,
    tags: config.runnerTags,
    slots: config.maxParallelTasks || Infinity,
    running: await countTasksOf(db, null),
  };
  return [own, ...listed];
}

/** A runner with tags is for those who name it: it may not be given the keys of everybody. */
const hasTags = ({ tags }: Place, asked: string[]): boolean =>
  asked.length === 0 ? tags.length === 0 : asked.every((tag) => tags.includes(tag));

/** The places where a task can run, whether they are free or not. */
export function placesFor(all: Place[], { projectId, tags, isBound, boundTo }: Asking): Place[] {
  // The runner of a project is given the secrets of its tasks, and of no others.
  const places = all.filter((one) => one.projectId === null || one.projectId === projectId);
  const knowsWhere = boundTo !== null || places.some(({ id }) => id === null);
  return isBound && knowsWhere
    ? places.filter(({ id }) => id === boundTo)
    : places.filter((place) => hasTags(place, tags));
}

/**
 * The one with the least to do, in the transaction that gives it a task. Null: it is free no more,
 * since another server was quicker, which is noted in it.
 */
export async function choosePlace(db: Db, places: Place[]): Promise<Place | null> {
  const [best] = places.filter(isFree).toSorted((one, other) => one.running - other.running);
  if (!best || best.id === null) return best ?? null;
  // First the lock and then, in a statement of its own, the count.
  if (await lockRunner(db, best.id)) best.running = await countTasksOf(db, best.id);
  else best.slots = 0;
  return isFree(best) ? best : null;
}
