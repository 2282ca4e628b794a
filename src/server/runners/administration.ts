// Lists and changes servers and runners for administrators.

import type { NewRunner, Runner, RunnerChange } from '#shared/api/runners.ts';
import { nameOfTask, paramsOfHolders } from '#shared/holders.ts';
import { isAlone, type Context } from '../context/context.ts';
import { fail, failFields, fieldError } from '../lib/errors.ts';
import { recordRunnerEvent } from './runner-events.ts';
import { version } from '../../node/process/version.ts';
import { inTransaction } from '../context/transaction.ts';
import { getLoad } from '../../node/process/load.ts';
import { isSilent, requireRunner, slotsOf, type RunnerRef } from './runners.ts';
import { createRemote } from './remote-runners.ts';
import {
  countTasksOf,
  deleteRunner,
  listSeen,
  listUnfinishedOf,
  updateRunner,
  type SeenRunner,
} from './runners.store.ts';

/** All runners; with a project, only those that run tasks of it alone. */
export async function getRunners(ctx: Context, projectId?: number): Promise<Runner[]> {
  const others = (await listSeen(ctx.db)).map(toRunner);
  if (projectId !== undefined) return others.filter((one) => one.project_id === projectId);
  return isAlone(ctx) ? [onlyOne(ctx, await countTasksOf(ctx.db, null)), ...others] : others;
}

export async function getRunner(ctx: Context, which: RunnerRef): Promise<Runner> {
  const { id, projectId } = which;
  const isOwn = isAlone(ctx) && id === ownId && projectId === undefined;
  if (isOwn) return onlyOne(ctx, await countTasksOf(ctx.db, null));
  return toRunner(await requireRunner(ctx, which));
}

/** The tags of all runners; with a project, of all runners that run its tasks. */
export async function getTags(
  ctx: Context,
  projectId?: number,
): Promise<{ tag: string; number_of_runners: number }[]> {
  const all = (await getRunners(ctx)).filter(
    ({ project_id: owner }) => projectId === undefined || owner === null || owner === projectId,
  );
  const tags = all.flatMap((runner) => runner.tags);
  return [...Map.groupBy(tags, (tag) => tag)]
    .map(([tag, same]) => ({ tag, number_of_runners: same.length }))
    .toSorted((one, other) => (one.tag < other.tag ? -1 : 1));
}

/** The id by which a runner requests tasks; null for the runner beside an embedded database. */
export const runnerIdOf = (ctx: Context, { id }: Pick<Runner, 'id'>): number | null =>
  isAlone(ctx) && id === ownId ? null : id;

/** The id of a server with the embedded database: higher than all ids in the table. */
const ownId = 999_999_999;

const began = new Date().toISOString();

const onlyOne = ({ config, clock }: Context, running: number): Runner => ({
  id: ownId,
  project_id: null,
  name: config.serverName,
  role: 'all',
  state: 'ready',
  remote: false,
  draining: null,
  max_parallel_tasks: config.maxParallelTasks,
  slots: config.maxParallelTasks,
  tags: config.runnerTags,
  webhook: '',
  version,
  running,
  load: getLoad(),
  cleaning_requested: null,
  started: began,
  last_seen: clock.now().toISOString(),
});

function toRunner(runner: SeenRunner): Runner {
  const {
    uid: _u,
    session: _s,
    closed: _c,
    silence: _i,
    isKnown: _k,
    most_tasks: most,
    ...shown
  } = runner;
  return {
    ...shown,
    webhook: '',
    max_parallel_tasks: runner.remote ? most : shown.max_parallel_tasks,
    slots: runner.role === 'web' ? null : slotsOf(runner),
    state: stateOf(runner),
  };
}

function stateOf(runner: SeenRunner): Runner['state'] {
  if (!runner.isKnown) return 'new';
  if (runner.closed) return 'stopped';
  if (isSilent(runner)) return 'silent';
  return runner.draining ? 'draining' : 'ready';
}

export async function createRunner(ctx: Context, projectId: number | null, input: NewRunner) {
  const { id, token, expires } = await createRemote(ctx, projectId, input);
  return { ...(await getRunner(ctx, { id })), token, expires };
}

export async function changeRunner(
  ctx: Context,
  which: RunnerRef,
  given: RunnerChange,
): Promise<void> {
  await inTransaction(ctx, async (inner) => {
    const before = await getRunner(inner, which);
    if (!before.remote) refuseSettings(before, given);
    const isRecorded = [
      before.remote && (await changeRemote(inner, before, given)),
      await drain(inner, before, given.draining),
    ];
    if (!isRecorded.includes(true)) await recordRunnerEvent(inner, before, 'runner.changed');
    inner.hub.publish('queue.changed', {});
  });
}

/** A drained runner finishes its tasks and is assigned no more. Returns whether that is a change. */
async function drain(ctx: Context, runner: Runner, draining?: boolean): Promise<boolean> {
  if (draining === undefined || draining === (runner.draining ?? false)) return false;
  if (runner.draining === null) throw fail('runner.always_active');
  await updateRunner(ctx.db, runner.id, { draining });
  await recordRunnerEvent(ctx, runner, draining ? 'runner.drained' : 'runner.resumed');
  return true;
}

const isEqual = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** The settings of a server with access to the database come from its environment. */
function refuseSettings(before: Runner, { name, tags, max_parallel_tasks }: RunnerChange): void {
  if (tags && !isEqual(tags, before.tags)) throw fail('runner.tags_by_setting');
  const given = { name, max_parallel_tasks };
  const changed = (['name', 'max_parallel_tasks'] as const).filter(
    (field) => given[field] !== undefined && given[field] !== before[field],
  );
  if (changed.length > 0) {
    throw failFields(...changed.map((field) => fieldError(field, 'runner.by_setting')));
  }
}

/**
 * Changes what the runner is assigned from now on. Only administrators set this, never the runner, which
 * may be compromised. Returns whether anything has changed.
 */
async function changeRemote(
  ctx: Context,
  before: Runner,
  { name = before.name, tags = before.tags, max_parallel_tasks }: RunnerChange,
): Promise<boolean> {
  const most = max_parallel_tasks ?? before.max_parallel_tasks;
  await updateRunner(ctx.db, before.id, { name, tags, most_tasks: most });
  const after = { ...before, name };
  const isRenamed = name !== before.name || most !== before.max_parallel_tasks;
  if (isRenamed) await recordRunnerEvent(ctx, after, 'runner.changed');
  if (isEqual(tags, before.tags)) return isRenamed;
  await recordRunnerEvent(ctx, after, 'runner.tagged', { tags: tags.join(', ') || '—' });
  return true;
}

/** Ends or requeues the tasks of a runner whose credential is revoked. */
export type GiveUp = (ctx: Context, runner: { id: number; name: string }) => Promise<void>;

/**
 * Removes a server that is gone; if it comes back, it registers again. The credential of a remote runner
 * is revoked at once, and so are the leases of its tasks.
 */
export async function removeRunner(
  ctx: Context,
  which: RunnerRef,
  giveUpTasks: GiveUp,
): Promise<void> {
  const { id, remote } = await requireRunner(ctx, which);
  if (remote) {
    await updateRunner(ctx.db, id, { credential: null, registration: null, closed: true });
    await giveUpTasks(ctx, await requireRunner(ctx, which));
  }
  await inTransaction(ctx, async (inner) => {
    const runner = await requireRunner(inner, which);
    const isGone = runner.closed || isSilent(runner);
    if (!isGone) throw fail('runner.still_there');
    const held = await listUnfinishedOf(inner.db, id);
    if (held.length > 0) {
      throw fail('runner.in_use', paramsOfHolders({ tasks: held.map(nameOfTask) }));
    }
    if (!(await deleteRunner(inner.db, runner))) throw fail('runner.still_there');
    await recordRunnerEvent(inner, runner, 'runner.removed');
  });
}
