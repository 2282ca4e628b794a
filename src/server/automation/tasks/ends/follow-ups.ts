// The follow-ups of the end of a task: events, alerts, further attempts, steps of workflows, deploys.
// An outbox: the transaction that ends the task adds a row. Usually one transaction runs all follow-ups
// and deletes the row. If one fails, each runs in a transaction of its own, and the failed ones are
// retried with exponential backoff, by any server. So none is lost or run twice.

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
  findNextFollowUp,
  listDueFollowUps,
} from './ends.store.ts';
import { BackgroundLoop } from '../../../context/background-loop.ts';

export interface FollowUp {
  /** Stored in the database, so it must not change. */
  name: string;
  work: (ctx: Context, ended: Task) => Promise<void>;
}

type EndedTask = Pick<Task, 'id' | 'project_id'>;

/** Seconds until other servers run what the server that has ended the task has not run. */
const reservedSeconds = 15;
const MAX_PAUSE_SECONDS = 300;
const MAX_REASON_LENGTH = 500;
/** From this number of failures on, health checks report a stuck follow-up. */
const MIN_STUCK_FAILURES = 3;

const inSeconds = ({ clock }: Context, seconds: number): string =>
  new Date(clock.now().getTime() + seconds * 1000).toISOString();

/** Adds the row to the outbox, in the transaction that ends the task. */
export const addFollowUps = (ctx: Context, taskId: number): Promise<void> =>
  insertFollowUp(ctx.db, taskId, inSeconds(ctx, reservedSeconds));

const followUps = new WeakMap<Db, readonly FollowUp[]>();

/** Registers the follow-ups, some of which belong to modules above tasks. */
export const setFollowUps = (db: Db, all: readonly FollowUp[]): void => {
  followUps.set(db, all);
};

/** Runs the follow-ups of a task that are left, and schedules retries of failed ones. */
export async function followEnd(given: Context, task: EndedTask): Promise<void> {
  const all = followUps.get(given.db);
  if (!all) throw new Error('No follow-ups of tasks are registered for this database.');
  const ctx = { ...given, by: byServer };
  try {
    await inTransaction(ctx, (inner) => runAll(inner, task, all));
  } catch (error) {
    // Without the database each of them would fail.
    const failure = isUnreachable(error) ? error : await runEach(ctx, task, all);
    if (failure !== null) await noteFailure(ctx, task, failure);
  }
}

async function runAll(ctx: Context, task: EndedTask, all: readonly FollowUp[]): Promise<void> {
  const done = await takeFollowUp(ctx.db, task.id);
  const ended = done && (await findTask(ctx.db, task.project_id, task.id));
  if (!ended) return;
  for (const { name, work } of all) if (!done.includes(name)) await work(ctx, ended);
}

/** Returns the last failure; null: nothing has failed. */
async function runEach(ctx: Context, task: EndedTask, all: readonly FollowUp[]): Promise<unknown> {
  let failure: unknown = null;
  for (const one of all) {
    try {
      await inTransaction(ctx, (inner) => runOne(inner, task, one));
    } catch (error) {
      failure = error;
      const facts = { err: error, taskId: task.id, what: one.name };
      ctx.log.error(facts, 'task follow-up failed; retrying');
    }
  }
  if (failure === null) await inTransaction(ctx, (inner) => runAll(inner, task, []));
  return failure;
}

async function runOne(ctx: Context, task: EndedTask, { name, work }: FollowUp): Promise<void> {
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
    // Retried when the reservation of this server has expired.
    const reason = shortReason(error);
    ctx.log.warn({ reason, taskId: id }, 'storing a retry failed');
  }
}

export const isFollowUpStuck = ({ db }: Pick<Context, 'db'>): Promise<boolean> =>
  hasStuckFollowUp(db, MIN_STUCK_FAILURES);

/** Drops all follow-ups that are left. */
export const dropFollowUps = ({ db }: Pick<Context, 'db'>): Promise<void> => deleteFollowUps(db);

const MAX_CONCURRENT = 50;

export const createFollowUpLoop = (ctx: Context): BackgroundLoop =>
  new BackgroundLoop(ctx, {
    name: 'follow_ups',
    wakeOn: ['follow-up.added'],
    async run({ signal }) {
      const due = await listDueFollowUps(ctx.db, ctx.clock.now().toISOString(), MAX_CONCURRENT);
      for (const task of due) if (!signal.aborted) await followEnd(ctx, task);
      return findNextFollowUp(ctx.db);
    },
    // At least: what another server is running stays due meanwhile. At most: a server that has ended
    // publishes no hub event.
    pause: { minMs: 500, maxMs: 30_000 },
    failure: 'reading due task follow-ups failed',
  });
