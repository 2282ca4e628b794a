// The queue of a server in memory that has one runner.

import type { RunnerTask } from '#shared/api/runner-api.ts';
import type { TaskQueue } from '../../src/runner/api/task-queue.ts';
import { quietQueue } from '../helpers/quiet-queue.ts';
import type { MemoryStore, StoredTask } from './memory-store.ts';

export function memoryQueue(store: MemoryStore): TaskQueue {
  const isDue = ({ status, isHeld }: StoredTask): boolean =>
    !isHeld && (status === 'waiting' || status === 'confirmed');
  return {
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
    async *receive() {
      for (const task of store.tasks.filter(isDue)) {
        if (isDue(task)) yield give(store, task);
      }
    },
    onReady: (listener) =>
      listenTo(store.changed, (id: number) => isDue(store.find(id)) && listener()),
    listRevoked: (held) =>
      Promise.resolve(
        held.filter(({ id, lease }) => store.find(id).lease !== lease).map(({ id }) => id),
      ),
    listInterrupted: () =>
      Promise.resolve(store.tasks.filter(({ isHeld }) => isHeld).map(toRunnerTask)),
    listParked: () => Promise.resolve(store.tasks.filter(isParked).map(({ id }) => id)),
    onStop: (listener) => listenTo(store.stopped, listener),
    onChange: (listener) => listenTo(store.swept, listener),
    // Nobody asks for it here.
    onClear: quietQueue.onClear,
  };
}

const isParked = ({ status, isHeld }: StoredTask): boolean =>
  !isHeld && (status === 'waiting_confirmation' || status === 'confirmed');

function give(store: MemoryStore, task: StoredTask): RunnerTask {
  const status = task.status === 'waiting' ? 'starting' : task.status;
  const start = new Date().toISOString();
  store.change(task, { status, start, lease: task.lease + 1, isHeld: true });
  return toRunnerTask(task);
}

/** What a runner is not told of its task. */
const kept = new Set<string>([
  'end',
  'commitMessage',
  'lines',
  'secret',
  'progress',
  'hosts',
  'runResults',
  'failures',
  'sections',
  'plan',
  'partials',
  'exitCode',
  'failure',
  'isHeld',
] satisfies (keyof StoredTask)[]);

/** A copy: the runner changes its own. */
const toRunnerTask = (task: StoredTask): RunnerTask =>
  structuredClone(
    Object.fromEntries(Object.entries(task).filter(([name]) => !kept.has(name))),
  ) as RunnerTask;

function listenTo<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
