import type { BodyOf } from '#shared/api/endpoint.ts';
import type { runnerApiEndpoints } from '#shared/api/runner-api.ts';
import type { Context } from '../context/context.ts';
import { fail } from '../lib/errors.ts';
import { updateHeartbeat } from '../runners/remote-runners.store.ts';
import { noteRoom } from '../runners/runners.store.ts';

/** The heartbeat of the process of a runner. */
export type Heartbeat = Omit<
  BodyOf<typeof runnerApiEndpoints.poll>,
  'held' | 'looking' | 'knows_states' | 'wait'
>;

/** Stores a heartbeat of a remote runner. */
export async function recordHeartbeat(
  ctx: Context,
  id: number,
  heartbeat: Heartbeat,
): Promise<void> {
  const {
    session,
    version,
    max_parallel_tasks,
    load,
    is_new: isNew,
    is_leaving: isLeaving,
  } = heartbeat;
  const values = { id, session, version, max_parallel_tasks, load, isNew, isLeaving };
  const before = await updateHeartbeat(ctx.db, values);
  if (!before) throw fail('runner.replaced');
  const hasRoom = !heartbeat.is_out_of_room;
  const isChanged = before.hadRoom !== hasRoom && (await noteRoom(ctx.db, id, hasRoom));
  // Tasks may have waited for this runner, or for room on its disk.
  if (isNew || (isChanged && hasRoom)) ctx.hub.publish('queue.changed', {});
}
