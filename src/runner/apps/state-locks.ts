// Lets one task at a time work on a state of Terraform. Of two tasks of this runner with the same state
// the later one waits, whether they are of one template or of two. Programs on other machines are held
// off by the lock of the backend, for which the programs wait themselves.

import { stateOf } from '../../node/async/state-of.ts';
import type { RunnerConfig } from '../config/runner-config.ts';

interface Locks {
  /** The task that works on a state. */
  held: Map<string, number>;
  waiting: Set<() => void>;
}

const locksOf = stateOf((_config: RunnerConfig): Locks => ({
  held: new Map(),
  waiting: new Set(),
}));

interface Holder {
  config: RunnerConfig;
  taskId: number;
  signal: AbortSignal;
  /** Called with the task that has the state, before this one waits for its end. */
  onWait: (taskId: number) => Promise<void>;
}

/** Waits until no other task works on the state, and keeps it until `releaseStates`. */
export async function holdState(
  state: string,
  { config, taskId, signal, onWait }: Holder,
): Promise<void> {
  const { held, waiting } = locksOf(config);
  let told: number | null = null;
  for (;;) {
    signal.throwIfAborted();
    const holder = held.get(state) ?? taskId;
    if (holder === taskId) break;
    if (holder !== told) await onWait(holder);
    told = holder;
    // It may have ended while it was told.
    if (held.get(state) !== holder) continue;
    await untilReleased(waiting, signal);
  }
  held.set(state, taskId);
}

async function untilReleased(waiting: Set<() => void>, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting.add(resolve);
  signal.addEventListener('abort', () => resolve(), { once: true });
  await promise;
  waiting.delete(resolve);
}

/** Lets other tasks work on the states of a task that has ended, or waits for a confirmation. */
export function releaseStates(config: RunnerConfig, taskId: number): void {
  const { held, waiting } = locksOf(config);
  for (const [state, holder] of held) if (holder === taskId) held.delete(state);
  for (const wake of waiting) wake();
}
