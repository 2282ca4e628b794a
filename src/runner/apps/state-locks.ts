// Mutex of Terraform states: of two tasks of this runner with the same state, of one template or of two, the
// later one waits. Programs on other machines are excluded by the lock of the backend.

import { stateOf } from '../../node/async/state-of.ts';
import type { RunnerConfig } from '../config/runner-config.ts';

interface Locks {
  /** The task that holds a state. */
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
  /** Called with the task that holds the state, before this one waits. */
  onWait: (taskId: number) => Promise<void>;
}

/** Locks the state, after waiting for its holder; `releaseStates` unlocks it. */
export async function holdState(
  state: string,
  { config, taskId, signal, onWait }: Holder,
): Promise<void> {
  const { held, waiting } = locksOf(config);
  let reported: number | null = null;
  for (;;) {
    signal.throwIfAborted();
    const holder = held.get(state) ?? taskId;
    if (holder === taskId) break;
    if (holder !== reported) await onWait(holder);
    reported = holder;
    // The holder may have ended during `onWait`.
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

/** Unlocks the states of a task that has ended or is parked. */
export function releaseStates(config: RunnerConfig, taskId: number): void {
  const { held, waiting } = locksOf(config);
  for (const [state, holder] of held) if (holder === taskId) held.delete(state);
  for (const wake of waiting) wake();
}
