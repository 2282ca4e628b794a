// How long tasks and logs are kept: by number, by days, and by the space that all logs take.
// The oldest go first; never an unfinished task, and never a build that may still be deployed.

import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '../../context/context.ts';
import { listKeeping, type Keeping } from '../templates/templates.ts';
import {
  deleteBeyond,
  findOldestKept,
  listLogs,
  removeLog,
  sumLogBytes,
  type Beyond,
} from './retention.store.ts';

// Tasks that go in one statement, and milliseconds in which others get the database.
const atOnce = 10;
const pause = 5;
const day = 24 * 60 * 60 * 1000;

/** After a task of the template has ended: what is beyond its number goes, and logs beyond all. */
export async function tidyTemplate(
  ctx: Context,
  templateId: number,
  signal: AbortSignal,
): Promise<void> {
  for (const keeping of await listKeeping(ctx.db, templateId)) {
    await deleteOld(ctx, keeping, null, signal);
  }
  await removeOldLogs(ctx, signal);
}

/** Everything, by days too. */
export async function tidyAll(ctx: Context, signal: AbortSignal): Promise<void> {
  for (const keeping of await listKeeping(ctx.db)) {
    const days = keeping.keepDays || ctx.config.keepDays;
    const oldest = new Date(ctx.clock.now().getTime() - days * day);
    await deleteOld(ctx, keeping, days > 0 ? oldest.toISOString() : null, signal);
  }
  await removeOldLogs(ctx, signal);
}

async function deleteOld(
  ctx: Context,
  keeping: Keeping,
  endedBefore: string | null,
  signal: AbortSignal,
): Promise<void> {
  const count = keeping.keepTasks || ctx.config.keepTasks;
  const olderThan = count > 0 ? await findOldestKept(ctx.db, keeping, count) : null;
  if (olderThan === null && endedBefore === null) return;
  const keepSuccess = keeping.type !== '';
  const beyond: Beyond = { olderThan, endedBefore, keepSuccess, limit: atOnce };
  let total = 0;
  for (let deleted = atOnce; deleted === atOnce && !signal.aborted;) {
    deleted = await deleteBeyond(ctx.db, keeping, beyond);
    total += deleted;
    if (deleted === atOnce) await delay(pause);
  }
  // The templates show their last tasks.
  if (total > 0) ctx.hub.publish('changed', { projectId: keeping.projectId, noun: 'templates' });
}

async function removeOldLogs({ db, config }: Context, signal: AbortSignal): Promise<void> {
  if (config.keepLogBytes === 0) return;
  let excess = (await sumLogBytes(db)) - config.keepLogBytes;
  for (let after = 0; excess > 0 && !signal.aborted;) {
    const logs = await listLogs(db, after, atOnce);
    for (const { id, bytes } of logs) {
      if (excess <= 0 || signal.aborted) return;
      await removeLog(db, id);
      excess -= bytes;
      after = id;
    }
    if (logs.length === 0) return;
    await delay(pause);
  }
}
