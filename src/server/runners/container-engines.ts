// What runs containers on runners, such as `podman 4.3.1`, which runners report with each poll.

import type { ExecutionKind } from '#shared/api/execution-environments.ts';
import type { Context } from '../context/context.ts';
import { updateRunnerEngine } from './runners.store.ts';

// What the runner beside this server has reported. Without a shared database it has no row.
const ownEngines = new WeakMap<object, string>();

/** Empty: none, or not reported yet. */
export const ownEngine = ({ hub }: Pick<Context, 'hub'>): string => ownEngines.get(hub) ?? '';

const onMachine: ExecutionKind[] = ['server', 'tools'];
const withContainers: ExecutionKind[] = [...onMachine, 'container'];

/**
 * Which tasks a runner executes. Null: a version without execution environments, which would run all tasks with its
 * own programs.
 */
export function kindsOf(engine: string | null): readonly ExecutionKind[] {
  if (engine === null) return ['server'];
  if (isKubernetes(engine)) return ['pod'];
  return engine === '' ? onMachine : withContainers;
}

/** Whether the tasks of the runner run in pods, and nothing on its own machine. */
export const isKubernetes = (engine: string): boolean => engine.startsWith('kubernetes');

/** Stores what the runner beside this server reports. `id` is null for the runner without a row. */
export async function recordOwnEngine(
  ctx: Context,
  id: number | null,
  engine: string,
): Promise<void> {
  if (ownEngines.get(ctx.hub) === engine) return;
  if (id !== null) await updateRunnerEngine(ctx.db, id, engine);
  ownEngines.set(ctx.hub, engine);
  // Tasks in containers may have waited for it.
  ctx.hub.publish('queue.changed', {});
}
