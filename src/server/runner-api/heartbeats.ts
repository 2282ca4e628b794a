// The heartbeats and traits of runners.

import { fail } from '../lib/errors.ts';
import type { BodyOf } from '#shared/api/endpoint.ts';
import type { runnerApiEndpoints, RunnerTraits } from '#shared/api/runner-api.ts';
import type { Context } from '../context/context.ts';
import { recordOwnEngine } from '../runners/container-engines.ts';
import { updateHeartbeat } from '../runners/remote-runners.store.ts';
import { noteRoom, updateRunnerEngine } from '../runners/runners.store.ts';
import type { Runner } from '#shared/api/runners.ts';

interface OwnHeartbeat extends Heartbeat {
  /** The ids of the tasks whose leases it holds. */
  taskIds: number[];
}

/** Caches the last heartbeat of the runner beside this server, which restarts this runner itself. */
export class OwnRunnerHeartbeats {
  #last: OwnHeartbeat | null = null;
  #time = -Infinity;
  readonly #first = Promise.withResolvers<void>();

  record(sign: OwnHeartbeat): void {
    // A newer process of this runner has started, so the process of this request has to end.
    if (!sign.is_new && this.#last && sign.session !== this.#last.session) {
      throw fail('runner.replaced');
    }
    this.#last = sign;
    this.#time = performance.now();
    if (!sign.is_new) this.#first.resolve();
  }

  /** Settles with the second poll: the runner has received the first response. */
  get confirmed(): Promise<void> {
    return this.#first.promise;
  }

  get hasPolled(): boolean {
    return this.#last !== null;
  }

  /** Infinity before the first heartbeat. */
  get msSinceLast(): number {
    return performance.now() - this.#time;
  }

  /** The output of `ansible --version`; empty: not installed, or not reported yet. */
  get ansibleVersion(): string {
    return this.#last?.ansible_version ?? '';
  }

  get taskIds(): number[] {
    return this.#last?.taskIds ?? [];
  }
}

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
  const engine = heartbeat.traits?.container_engine ?? before.engine;
  if (engine !== null && engine !== before.engine) await updateRunnerEngine(ctx.db, id, engine);
  // Tasks may have waited for this runner, for room on its disk, or for its container engine.
  if (isNew || (isChanged && hasRoom) || engine !== before.engine)
    ctx.hub.publish('queue.changed', {});
}

/** What the runner beside this server reports of itself; null: nothing yet. `id` is null without a row. */
export async function recordOwnTraits(
  ctx: Context,
  id: number | null,
  traits: RunnerTraits | null,
): Promise<void> {
  if (traits) await recordOwnEngine(ctx, id, traits.container_engine ?? '');
}

export interface RunnerKnown extends RunnerTraits {
  ansible: string;
}

/** The traits that the runner beside this server and the polling remote runners last reported; not stored. */
export class KnownTraits {
  readonly #remote = new Map<number, RunnerKnown>();
  #own: RunnerKnown | null = null;

  /** `id` is null for the runner beside this server. */
  note(id: number | null, ansible: string, traits: RunnerTraits | null): void {
    if (!traits) return;
    const known = { ...traits, ansible: ansible.split('\n')[0] ?? '' };
    if (id === null) this.#own = known;
    else this.#remote.set(id, known);
  }

  /** `ownId` is the id of this server among several; null if it is the only one. */
  of({ id, remote }: Pick<Runner, 'id' | 'remote'>, ownId: number | null): RunnerKnown | null {
    if (remote) return this.#remote.get(id) ?? null;
    return ownId === null || ownId === id ? this.#own : null;
  }
}
