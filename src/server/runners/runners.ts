// The servers that share a database, and which of them a task goes to.

import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, hostname, loadavg } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/open.ts';
import { version } from '../system/version.ts';
import {
  countTasksOf,
  enterRunner,
  listSeen,
  lockRunner,
  noteAlive,
  noteClosed,
  type SeenRunner,
} from './runners.store.ts';

/** Milliseconds after which a silent runner is given no task, and after which it counts as lost. */
export const silentAfter = 12_000;
export const lostAfter = 20_000;
/** The same of one without the database: the way to it is longer. */
export const remoteLostAfter = 120_000;

/** This process as a runner. */
export interface Self {
  id: number;
  session: string;
}

/** Enters this process among the servers; who comes back to a data folder is the same as before. */
export async function enter(ctx: Context, session: string = randomUUID()): Promise<Self> {
  const { config } = ctx;
  const id = await enterRunner(ctx.db, {
    uid: await ownUid(config),
    session,
    name: hostname(),
    role: config.role,
    version,
    max_parallel_tasks: config.maxParallelTasks,
  });
  return { id, session };
}

async function ownUid({ dataDir }: Config): Promise<string> {
  const path = join(dataDir, 'runner-id');
  // Whoever comes first; two processes that begin at once are the same runner.
  await writeFile(path, `${randomUUID()}\n`, { flag: 'wx', mode: 0o600 }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    },
  );
  return (await readFile(path, 'utf8')).trim();
}

/** False: another process has become this runner. */
export const beat = (ctx: Context, self: Self): Promise<boolean> =>
  noteAlive(ctx.db, self, loadNow());

/** Load of this machine, for each of its processors. */
export function loadNow(): number {
  const [minute = 0] = loadavg();
  return Math.round((100 * minute) / Math.max(1, cpus().length)) / 100;
}

export const findSeen = async (db: Db, id: number): Promise<SeenRunner | null> =>
  (await listSeen(db)).find((one) => one.id === id) ?? null;

/** It takes no more tasks until it enters again. */
export const leave = (ctx: Context, self: Self): Promise<void> => noteClosed(ctx.db, self);

type Placeable = Pick<SeenRunner, 'role' | 'draining' | 'closed' | 'silence' | 'isKnown'>;

/** Whether it is given tasks. */
export const isUsable = ({ role, draining, closed, silence, isKnown }: Placeable): boolean =>
  role !== 'web' && isKnown && !draining && !closed && silence < silentAfter;

const freeSlots = ({ max_parallel_tasks: most, running }: SeenRunner): number =>
  most === 0 ? Infinity : most - running;

/** The tasks that all runners which are there may have at once. */
export async function countSlots(db: Db): Promise<number> {
  const usable = (await listSeen(db)).filter(isUsable);
  return usable.reduce((sum, { max_parallel_tasks: most }) => sum + (most || Infinity), 0);
}

/**
 * The same where one server has the database to itself: it may keep the task (null). It does when
 * nobody has less to do.
 */
export async function chooseHere(
  db: Db,
  own: { slots: number; mustBe: boolean },
  only: number | null,
): Promise<{ runnerId: number | null } | null> {
  const running = await countTasksOf(db, null);
  const hasRoom = running < own.slots;
  if (own.mustBe) return hasRoom ? { runnerId: null } : null;
  const free = (await listSeen(db))
    .filter((one) => isUsable(one) && freeSlots(one) > 0)
    .filter(({ id }) => only === null || id === only)
    .toSorted((one, other) => one.running - other.running);
  const [best] = free;
  if (only === null && hasRoom && (!best || running <= best.running)) return { runnerId: null };
  return best ? { runnerId: best.id } : null;
}

export type Choice = number | 'none' | 'ask again';

/**
 * The runner for a task: the one with the least to do, or the only one that can go on with what it
 * has begun. In the transaction that gives it the task. `ask again`: another server has been
 * quicker.
 */
export async function chooseRunner(db: Db, only: number | null): Promise<Choice> {
  const free = (await listSeen(db))
    .filter((one) => isUsable(one) && freeSlots(one) > 0)
    .filter(({ id }) => only === null || id === only)
    .toSorted((one, other) => one.running - other.running);
  const [best] = free;
  if (!best) return 'none';
  // First the lock and then, in a statement of its own, the count.
  if (!(await lockRunner(db, best.id))) return 'ask again';
  const running = await countTasksOf(db, best.id);
  return freeSlots({ ...best, running }) > 0 ? best.id : 'ask again';
}
