// What administrators see of the servers, and do with them.

import type { Runner, RunnerChange } from '#shared/api/runners.ts';
import { isAlone, type Context } from '../context/context.ts';
import { fail } from '../lib/errors.ts';
import { record } from '../events/events.ts';
import { version } from '../../runner/system/version.ts';
import { inTransaction } from '../context/transaction.ts';
import { loadNow } from '../../runner/system/load.ts';
import { findSeen, isUsable, silentAfter } from './runners.ts';
import { revokeCredential, updateTags } from './remote-runners.store.ts';
import {
  countTasksOf,
  deleteRunner,
  listSeen,
  updateDraining,
  type SeenRunner,
} from './runners.store.ts';

export async function seeRunners(ctx: Context): Promise<Runner[]> {
  const others = (await listSeen(ctx.db)).map(toRunner);
  return isAlone(ctx) ? [onlyOne(ctx, await countTasksOf(ctx.db, null)), ...others] : others;
}

/** Of the server with the embedded database: above all that are in the table. */
const ownId = 999_999_999;

const began = new Date().toISOString();

const onlyOne = ({ config, clock }: Context, running: number): Runner => ({
  id: ownId,
  project_id: null,
  name: config.serverName,
  role: 'all',
  state: 'ready',
  remote: false,
  active: true,
  draining: null,
  max_parallel_tasks: config.maxParallelTasks,
  tags: config.runnerTags,
  webhook: '',
  version,
  running,
  load: loadNow(),
  started: began,
  last_seen: clock.now().toISOString(),
});

function toRunner(runner: SeenRunner): Runner {
  const { uid: _u, session: _s, closed: _c, silence: _i, isKnown: _k, ...shown } = runner;
  const active = isUsable(runner);
  return { ...shown, project_id: null, webhook: '', active, state: stateOf(runner) };
}

function stateOf({ closed, silence, draining, isKnown }: SeenRunner): Runner['state'] {
  if (!isKnown) return 'new';
  if (closed) return 'stopped';
  if (silence >= silentAfter) return 'silent';
  return draining ? 'draining' : 'ready';
}

async function requireRunner(ctx: Context, id: number): Promise<SeenRunner> {
  const runner = await findSeen(ctx.db, id);
  if (!runner) throw fail('runner.not_found');
  return runner;
}

export async function changeRunner(
  ctx: Context,
  id: number,
  { draining, tags }: RunnerChange,
): Promise<void> {
  await inTransaction(ctx, async (inner) => {
    const runner = await requireRunner(inner, id);
    if (draining !== undefined) await drain(inner, runner, draining);
    if (tags !== undefined) await tag(inner, runner, tags);
    inner.hub.publish('queue', {});
  });
}

/** What it runs goes on; it is only given nothing more. */
async function drain(ctx: Context, { id, name }: SeenRunner, draining: boolean): Promise<void> {
  await updateDraining(ctx.db, id, draining);
  const code = draining ? 'runner.drained' : 'runner.resumed';
  await record(ctx, { code, projectId: null, object: { type: 'runner', id, name } });
}

/** What it is given from now on. It does not say itself what it is for: it may be taken over. */
async function tag(ctx: Context, { id, name, remote }: SeenRunner, tags: string[]): Promise<void> {
  if (!remote) throw fail('runner.tags_by_setting');
  await updateTags(ctx.db, id, tags);
  await record(ctx, {
    code: 'runner.tagged',
    projectId: null,
    object: { type: 'runner', id, name },
    params: { tags: tags.join(', ') || '—' },
  });
}

/** What becomes of the tasks of a runner that is shut out. */
export type GiveUp = (ctx: Context, runner: { id: number; name: string }) => Promise<void>;

/**
 * Forgets a server that is gone; one that comes back after all enters anew. One without the database
 * is shut out at once, and its tasks are given up.
 */
export async function removeRunner(ctx: Context, id: number, giveUpTasks: GiveUp): Promise<void> {
  const { remote } = await requireRunner(ctx, id);
  if (remote) {
    await revokeCredential(ctx.db, id);
    await giveUpTasks(ctx, await requireRunner(ctx, id));
  }
  await inTransaction(ctx, async (inner) => {
    const runner = await requireRunner(inner, id);
    const isGone = runner.closed || runner.silence >= silentAfter;
    if (!isGone || !(await deleteRunner(inner.db, runner))) throw fail('runner.in_use');
    const object = { type: 'runner', id, name: runner.name } as const;
    await record(inner, { code: 'runner.removed', projectId: null, object });
  });
}
