// What administrators see of the servers, and do with them.

import { hostname } from 'node:os';
import type { Runner } from '#shared/api/runners.ts';
import { isAlone, type Context } from '../context.ts';
import { fail } from '../errors.ts';
import { record } from '../events/events.ts';
import { version } from '../system/version.ts';
import { inTransaction } from '../transaction.ts';
import { findSeen, isUsable, loadNow, silentAfter } from './runners.ts';
import { deleteRunner, listSeen, updateDraining, type SeenRunner } from './runners.store.ts';

/** `running`: how many tasks this server itself has in its hands. */
export async function seeRunners(ctx: Context, running: number): Promise<Runner[]> {
  if (isAlone(ctx)) return [onlyOne(ctx, running)];
  return (await listSeen(ctx.db)).map(toRunner);
}

const began = new Date().toISOString();

const onlyOne = ({ config, clock }: Context, running: number): Runner => ({
  id: 1,
  project_id: null,
  name: hostname(),
  role: 'all',
  state: 'ready',
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
  const { uid: _uid, session: _session, closed: _closed, silence: _silence, ...shown } = runner;
  const active = isUsable(runner);
  return { ...shown, project_id: null, webhook: '', active, state: stateOf(runner) };
}

function stateOf({ closed, silence, draining }: SeenRunner): Runner['state'] {
  if (closed) return 'stopped';
  if (silence >= silentAfter) return 'silent';
  return draining ? 'draining' : 'ready';
}

async function requireRunner(ctx: Context, id: number): Promise<SeenRunner> {
  const runner = await findSeen(ctx.db, id);
  if (!runner) throw fail('runner.not_found');
  return runner;
}

/** What it runs goes on; it is only given nothing more. */
export async function drainRunner(ctx: Context, id: number, draining: boolean): Promise<void> {
  await inTransaction(ctx, async (inner) => {
    const { name } = await requireRunner(inner, id);
    await updateDraining(inner.db, id, draining);
    await record(inner, {
      code: draining ? 'runner.drained' : 'runner.resumed',
      projectId: null,
      object: { type: 'runner', id, name },
    });
    inner.hub.publish('queue', {});
  });
}

/** Forgets a server that is gone; one that comes back after all enters anew. */
export async function removeRunner(ctx: Context, id: number): Promise<void> {
  await inTransaction(ctx, async (inner) => {
    const runner = await requireRunner(inner, id);
    const isGone = runner.closed || runner.silence >= silentAfter;
    if (!isGone || !(await deleteRunner(inner.db, runner))) throw fail('runner.in_use');
    const object = { type: 'runner', id, name: runner.name } as const;
    await record(inner, { code: 'runner.removed', projectId: null, object });
  });
}
