// The servers that share a database: registration and heartbeats.

import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import type { Params } from '#shared/catalogue/catalogue.ts';
import type { EventCode } from '#shared/catalogue/recorded-events.ts';
import { hasSpaceForTasks } from '../../node/fs/disk-space.ts';
import { getLoad } from '../../node/process/load.ts';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Context } from '../context/context.ts';
import { record } from '../events/events.ts';
import { fail } from '../lib/errors.ts';
import { version } from '../../node/process/version.ts';
import {
  enterRunner,
  findSeen,
  storeHeartbeat,
  storeClosed,
  noteRoom,
  type SeenRunner,
  closeServers,
} from './runners.store.ts';

/** Milliseconds of silence after which a server counts as lost. */
export const lostAfter = 20_000;
/** Of a remote runner, whose connection is slower. */
export const remoteLostAfter = 120_000;
/** Milliseconds of silence after which no tasks are assigned. */
const silentAfter = 12_000;
const remoteSilentAfter = 30_000;

/** Whether no tasks are assigned because heartbeats are missing. */
export const isSilent = ({ remote, silence }: Pick<SeenRunner, 'remote' | 'silence'>): boolean =>
  silence >= (remote ? remoteSilentAfter : silentAfter);

export interface Self {
  id: number;
  session: string;
}

/** Registers this process. A server with a known data folder keeps its row. */
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
  // Two processes that start at once share the file, and so the runner.
  await writeFile(path, `${randomUUID()}\n`, { flag: 'wx', mode: 0o600 }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    },
  );
  return (await readFile(path, 'utf8')).trim();
}

/** Returns false if another process has registered as this runner. */
export async function beat(ctx: Context, self: Self): Promise<boolean> {
  if (!(await storeHeartbeat(ctx.db, self, getLoad()))) return false;
  const hasRoom = hasSpaceForTasks(ctx.config);
  if ((await noteRoom(ctx.db, self.id, hasRoom)) && hasRoom) ctx.hub.publish('queue.changed', {});
  return true;
}

export function recordRunner(
  ctx: Context,
  { id, name, project_id: projectId }: Pick<SeenRunner, 'id' | 'name' | 'project_id'>,
  code: Extract<EventCode, `runner.${string}`>,
  params: Params = {},
): Promise<void> {
  return record(ctx, { code, projectId, object: { type: 'runner', id, name }, params });
}

/** With `projectId`, only a runner of this project. */
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

/** The most concurrent tasks; 0 means no limit. */
export const slotsOf = ({
  max_parallel_tasks: own,
  most_tasks: set,
}: Pick<SeenRunner, 'max_parallel_tasks' | 'most_tasks'>): number =>
  own > 0 && set > 0 ? Math.min(own, set) : own || set;

/** Stops assignments until the runner registers again. */
export const leave = (ctx: Context, self: Self): Promise<void> => storeClosed(ctx.db, self);

/** Marks all servers as stopped, after a restore on another machine. */
export const closeAllServers = ({ db }: Pick<Context, 'db'>): Promise<void> => closeServers(db);
