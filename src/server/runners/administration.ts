// How administrators list and change servers and runners.

import type { NewRunner, Runner, RunnerChange } from '#shared/api/runners.ts';
import { nameOfTask, paramsOfHolders } from '#shared/holders.ts';
import { isAlone, type Context } from '../context/context.ts';
import { fail, failFields, fieldError } from '../lib/errors.ts';
import { version } from '../../node/process/version.ts';
import { inTransaction } from '../context/transaction.ts';
import { getLoad } from '../../node/process/load.ts';
import { ownEngine } from './container-engines.ts';
import { isSilent, recordRunner, requireRunner, slotsOf, type RunnerRef } from './runners.ts';
import { createRemote } from './remote-runners.ts';
import { revokeCredential, updateRemote } from './remote-runners.store.ts';
import {
  countTasksOf,
  deleteRunner,
  listSeen,
  listUnfinishedOf,
  updateDraining,
  type SeenRunner,
  findCleaning,
  updateCleaning,
} from './runners.store.ts';

/** With a project, only its dedicated runners. */
export async function getRunners(ctx: Context, projectId?: number): Promise<Runner[]> {
  const registered = (await listSeen(ctx.db)).map(toRunner);
  if (projectId !== undefined) return registered.filter((one) => one.project_id === projectId);
  return isAlone(ctx)
    ? [onlyOne(ctx, await countTasksOf(ctx.db, null)), ...registered]
    : registered;
}

export async function getRunner(ctx: Context, which: RunnerRef): Promise<Runner> {
  const { id, projectId } = which;
  const isOwn = isAlone(ctx) && id === ownId && projectId === undefined;
  if (isOwn) return onlyOne(ctx, await countTasksOf(ctx.db, null));
  return toRunner(await requireRunner(ctx, which));
}

/** With a project, the tags of the runners that accept its tasks. */
export async function getTags(
  ctx: Context,
  projectId?: number,
): Promise<{ tag: string; number_of_runners: number }[]> {
  const all = (await getRunners(ctx)).filter(
    ({ project_id: owner }) => projectId === undefined || owner === null || owner === projectId,
  );
  const counts = new Map<string, number>();
  for (const tag of all.flatMap(({ tags }) => tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts]
    .map(([tag, count]) => ({ tag, number_of_runners: count }))
    .toSorted((one, other) => (one.tag < other.tag ? -1 : 1));
}

/** Null for the runner beside an embedded database. */
export const runnerIdOf = (ctx: Context, { id }: Pick<Runner, 'id'>): number | null =>
  isAlone(ctx) && id === ownId ? null : id;

/** Higher than all ids in the table. */
const ownId = 999_999_999;

const began = new Date().toISOString();

const onlyOne = ({ config, clock, hub }: Context, running: number): Runner => ({
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
  container_engine: ownEngine({ hub }),
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
    container_engine: runner.container_engine ?? '',
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
    if (!isRecorded.includes(true)) await recordRunner(inner, before, 'runner.changed');
    inner.hub.publish('queue.changed', {});
  });
}

/** Drains or resumes a runner. Returns whether that is a change. */
async function drain(ctx: Context, runner: Runner, draining?: boolean): Promise<boolean> {
  if (draining === undefined || draining === (runner.draining ?? false)) return false;
  if (runner.draining === null) throw fail('runner.always_active');
  await updateDraining(ctx.db, runner.id, draining);
  await recordRunner(ctx, runner, draining ? 'runner.drained' : 'runner.resumed');
  return true;
}

const isEqual = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Servers with the database are configured by their environment. */
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

/** Does not trust a remote runner to report its settings. Returns whether anything has changed. */
async function changeRemote(
  ctx: Context,
  before: Runner,
  { name = before.name, tags = before.tags, max_parallel_tasks }: RunnerChange,
): Promise<boolean> {
  const most = max_parallel_tasks ?? before.max_parallel_tasks;
  await updateRemote(ctx.db, before.id, { name, tags, most_tasks: most });
  const after = { ...before, name };
  const isRenamed = name !== before.name || most !== before.max_parallel_tasks;
  if (isRenamed) await recordRunner(ctx, after, 'runner.changed');
  if (isEqual(tags, before.tags)) return isRenamed;
  await recordRunner(ctx, after, 'runner.tagged', { tags: tags.join(', ') || '—' });
  return true;
}

/** Ends or requeues the tasks of a revoked runner. */
export type RevokeTasks = (ctx: Context, runner: { id: number; name: string }) => Promise<void>;

/** Removes a stopped server; revokes a remote runner at once, and reassigns or ends its tasks. */
export async function removeRunner(
  ctx: Context,
  which: RunnerRef,
  revokeTasks: RevokeTasks,
): Promise<void> {
  const { id, remote } = await requireRunner(ctx, which);
  if (remote) {
    await revokeCredential(ctx.db, id);
    await revokeTasks(ctx, await requireRunner(ctx, which));
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
    await recordRunner(inner, runner, 'runner.removed');
  });
}

// For the runner beside an embedded database, which has no row. Lost on restart.
const requestedOfOwn = new WeakMap<object, string>();

/** Requests a runner to clear its caches, with its next poll. */
export async function requestCleaning(ctx: Context, which: RunnerRef): Promise<void> {
  const now = ctx.clock.now().toISOString();
  await inTransaction(ctx, async (inner) => {
    const runner = await getRunner(inner, which);
    const isStored = await updateCleaning(inner.db, runner.id, now);
    if (!isStored) requestedOfOwn.set(ctx.hub, now);
    await recordRunner(inner, runner, 'runner.cache_cleared');
    inner.hub.publish('task.assigned', { runnerId: isStored ? runner.id : null });
  });
}

/** When the last request was made. The id is null for the runner without a row. */
export async function cleaningOf(
  { db, hub }: Pick<Context, 'db' | 'hub'>,
  id: number | null,
): Promise<string | null> {
  return id === null ? (requestedOfOwn.get(hub) ?? null) : findCleaning(db, id);
}
