// Does what follows from the ends of tasks: events, alerts, further attempts, steps of workflows, deploys.
// The end of a task is stored first, in a transaction of its own with a row that says what is left. All
// of it is usually done at once, in one transaction that deletes the row. If something of it fails, each
// part is done by itself, so that none keeps back another, and what has failed is tried again later and
// later. So nothing of it is lost or done twice, on whichever server.

import type { Task } from '#shared/api/tasks.ts';
import { byServer, type Context } from '../../../context/context.ts';
import { inTransaction } from '../../../context/transaction.ts';
import type { Db } from '../../../db/open.ts';
import { shortReason } from '../../../db/lasting.ts';
import { isUnreachable } from '../../../db/unreachable.ts';
import { findTask } from '../rows/shown-tasks.store.ts';
import {
  countFailure,
  deleteFollowUps,
  hasStuckFollowUp,
  insertFollowUp,
  lockFollowUp,
  takeFollowUp,
  updateDone,
  updateDue,
} from './ends.store.ts';

export interface FollowUp {
  /** Is stored, and never changes. */
  name: string;
  work: (ctx: Context, ended: Task) => Promise<void>;
}

type EndedTask = Pick<Task, 'id' | 'project_id'>;

/** After so many seconds other servers do what the server that has ended the task has not done. */
const reservedSeconds = 15;
const MAX_PAUSE_SECONDS = 300;
const MAX_REASON_LENGTH = 500;
/** After so many failures somebody has to look. */
const manyFailures = 3;

const inSeconds = ({ clock }: Context, seconds: number): string =>
  new Date(clock.now().getTime() + seconds * 1000).toISOString();

/** Notes in the transaction that ends a task that something follows. */
export const leaveFollowUps = (ctx: Context, taskId: number): Promise<void> =>
  insertFollowUp(ctx.db, taskId, inSeconds(ctx, reservedSeconds));

/** By the database, whose table of follow-ups they work off. */
const followUps = new WeakMap<Db, readonly FollowUp[]>();

/** Registers everything that follows from the end of a task; modules above tasks add their own. */
export const setFollowUps = (db: Db, all: readonly FollowUp[]): void => {
  followUps.set(db, all);
};

/** Does what follows from the end of a task and is left. What fails is tried again. */
export async function followEnd(given: Context, task: EndedTask): Promise<void> {
  const all = followUps.get(given.db);
  if (!all) throw new Error('No follow-ups of tasks are registered for this database.');
  const ctx = { ...given, by: byServer };
  try {
    await inTransaction(ctx, (inner) => doAll(inner, task, all));
  } catch (error) {
    // Without its database nothing else of it would succeed.
    const failure = isUnreachable(error) ? error : await doEach(ctx, task, all);
    if (failure !== null) await noteFailure(ctx, task, failure);
  }
}

async function doAll(ctx: Context, task: EndedTask, all: readonly FollowUp[]): Promise<void> {
  const done = await takeFollowUp(ctx.db, task.id);
  const ended = done && (await findTask(ctx.db, task.project_id, task.id));
  if (!ended) return;
  for (const { name, work } of all) if (!done.includes(name)) await work(ctx, ended);
}

/** Returns the last failure; null: nothing has failed. */
async function doEach(ctx: Context, task: EndedTask, all: readonly FollowUp[]): Promise<unknown> {
  let failure: unknown = null;
  for (const one of all) {
    try {
      await inTransaction(ctx, (inner) => doOne(inner, task, one));
    } catch (error) {
      failure = error;
      const facts = { err: error, taskId: task.id, what: one.name };
      ctx.log.error(facts, 'task follow-up failed; retrying');
    }
  }
  if (failure === null) await inTransaction(ctx, (inner) => doAll(inner, task, []));
  return failure;
}

async function doOne(ctx: Context, task: EndedTask, { name, work }: FollowUp): Promise<void> {
  const done = await lockFollowUp(ctx.db, task.id);
  const ended = done && (await findTask(ctx.db, task.project_id, task.id));
  if (!ended || done.includes(name)) return;
  await work(ctx, ended);
  await updateDone(ctx.db, task.id, [...done, name]);
}

async function noteFailure(ctx: Context, { id }: EndedTask, failure: unknown): Promise<void> {
  try {
    await inTransaction(ctx, async (inner) => {
      const reason = shortReason(failure).slice(0, MAX_REASON_LENGTH);
      const attempts = await countFailure(inner.db, id, reason);
      if (attempts === null) return;
      const pause = Math.min(2 ** (attempts - 1), MAX_PAUSE_SECONDS);
      await updateDue(inner.db, id, inSeconds(inner, pause));
      inner.hub.publish('follow-up.added', {});
    });
  } catch (error) {
    // It is tried again when the time is over for which it was reserved.
    const reason = shortReason(error);
    ctx.log.warn({ reason, taskId: id }, 'storing a retry failed');
  }
}

/** Whether something that follows from the end of a task has failed again and again. */
export const isFollowUpStuck = ({ db }: Pick<Context, 'db'>): Promise<boolean> =>
  hasStuckFollowUp(db, manyFailures);

/** Gives up all that is left. */
export const dropFollowUps = ({ db }: Pick<Context, 'db'>): Promise<void> => deleteFollowUps(db);
