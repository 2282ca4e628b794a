// Deletes old tasks and logs by the limits on number, days and total size of logs. The oldest are
// deleted first, but never an unfinished task or a build that may still be deployed.

import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '../../../context/context.ts';
import { inTransaction } from '../../../context/transaction.ts';
import { forgetRuns, lockHosts } from '../../../resources/hosts/hosts.ts';
import { listKeeping, type Keeping } from '../../templates/templates.ts';
import {
  deleteBeyond,
  findOldestKept,
  hasBeyond,
  listLogs,
  removeLog,
  sumLogBytes,
  type Beyond,
} from './retention.store.ts';

// How many tasks one statement deletes, and the pause after it for other statements.
const tasksAtOnce = 10;
const statementPauseMs = 5;
const dayMs = 24 * 60 * 60 * 1000;

/** After the end of a task, deletes the tasks beyond its template's number, and logs beyond the total size. */
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

/** Deletes old tasks of all templates by all limits, days included. */
export async function tidyAll(ctx: Context, signal: AbortSignal): Promise<void> {
  for (const keeping of await listKeeping(ctx.db)) {
    const days = keeping.keepDays || ctx.config.keepDays;
    const oldest = new Date(ctx.clock.now().getTime() - days * dayMs);
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
  const beyond: Beyond = { olderThan, endedBefore, keepSuccess, limit: tasksAtOnce };
  let total = 0;
  for (let deleted = tasksAtOnce; deleted === tasksAtOnce && !signal.aborted;) {
    deleted = await deleteSome(ctx, keeping, beyond);
    total += deleted;
    if (deleted === tasksAtOnce) await delay(statementPauseMs);
  }
  // The list of templates shows their last tasks.
  if (total > 0)
    ctx.hub.publish('resource.changed', { projectId: keeping.projectId, noun: 'templates' });
}

/** Returns the number of deleted tasks. */
async function deleteSome(ctx: Context, keeping: Keeping, beyond: Beyond): Promise<number> {
  // Mostly there is nothing to delete; then the lock, which delays runs of the project, is not needed.
  if (!(await hasBeyond(ctx.db, keeping, beyond))) return 0;
  return inTransaction(ctx, async (inner) => {
    await lockHosts(inner, keeping.projectId);
    const deleted = await deleteBeyond(inner.db, keeping, beyond);
    if (deleted > 0) await forgetRuns(inner, keeping.projectId);
    return deleted;
  });
}

async function removeOldLogs({ db, config }: Context, signal: AbortSignal): Promise<void> {
  if (config.keepLogBytes === 0) return;
  let excess = (await sumLogBytes(db)) - config.keepLogBytes;
  for (let after = 0; excess > 0 && !signal.aborted;) {
    const logs = await listLogs(db, after, tasksAtOnce);
    for (const { id, bytes } of logs) {
      if (excess <= 0 || signal.aborted) return;
      await removeLog(db, id);
      excess -= bytes;
      after = id;
    }
    if (logs.length === 0) return;
    await delay(statementPauseMs);
  }
}
