// The servers that share a database, and which of them are available for tasks.

import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { hasSpaceForTasks } from '../../node/fs/disk-space.ts';
import { getLoad } from '../../node/process/load.ts';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Context } from '../context/context.ts';
import { fail } from '../lib/errors.ts';
import { version } from '../../node/process/version.ts';
import {
  enterRunner,
  findSeen,
  noteAlive,
  noteRoom,
  type SeenRunner,
  closeServers,
} from './runners.store.ts';

/** Milliseconds without a heartbeat after which a server, or a remote runner, counts as lost. */
export const lostAfter = 20_000;
export const remoteLostAfter = 120_000;
/** Milliseconds without a heartbeat after which a server, or a remote runner, is assigned no tasks. */
const silentAfter = 12_000;
const remoteSilentAfter = 30_000;

/** Whether the last heartbeat of a runner is too old for new tasks. */
export const isSilent = ({ remote, silence }: Pick<SeenRunner, 'remote' | 'silence'>): boolean =>
  silence >= (remote ? remoteSilentAfter : silentAfter);

/** This process as a runner. */
export interface Self {
  id: number;
  session: string;
}

/**
 * Registers this process among the servers. A server that comes back with its data folder keeps its
 * row.
 */
export async function enter(ctx: Context): Promise<Self> {
  const { config } = ctx;
  const session = randomUUID();
  const id = await enterRunner(ctx.db, {
    uid: await ownUid(config),
    session,
    name: config.serverName,
    role: config.role,
    version,
    max_parallel_tasks: config.maxParallelTasks,
    tags: config.runnerTags,
  });
  return { id, session };
}

async function ownUid({ dataDir }: Config): Promise<string> {
  const path = join(dataDir, 'runner-id');
  // The first process writes the file; two processes that begin at once are the same runner.
  await writeFile(path, `${randomUUID()}\n`, { flag: 'wx', mode: 0o600 }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    },
  );
  return (await readFile(path, 'utf8')).trim();
}

/** Stores a heartbeat. False if another process has become this runner. */
export async function beat(ctx: Context, self: Self): Promise<boolean> {
  if (!(await noteAlive(ctx.db, self, getLoad()))) return false;
  const hasRoom = hasSpaceForTasks(ctx.config);
  if ((await noteRoom(ctx.db, self.id, hasRoom)) && hasRoom) ctx.hub.publish('queue.changed', {});
  return true;
}

/** The runner of a request; with `projectId`, only a runner of this project. */
export interface RunnerRef {
  id: number;
  projectId?: number;
}

export async function requireRunner(
  { db }: Pick<Context, 'db'>,
  { id, projectId }: RunnerRef,
): Promise<SeenRunner> {
  const found = await findSeen(db, id);
  const isMeant = projectId === undefined || found?.project_id === projectId;
  if (!found || !isMeant) throw fail('runner.not_found');
  return found;
}

/** The maximum of concurrent tasks; 0 means no limit. */
export const slotsOf = ({
  max_parallel_tasks: own,
  most_tasks: set,
}: Pick<SeenRunner, 'max_parallel_tasks' | 'most_tasks'>): number =>
  own > 0 && set > 0 ? Math.min(own, set) : own || set;

/** Marks all servers as stopped, after a restore on another machine. */
export const closeAllServers = ({ db }: Pick<Context, 'db'>): Promise<void> => closeServers(db);
