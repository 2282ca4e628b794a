// The queue of a runner: it polls the server, one request after the other. Each request lists
// the tasks that the runner holds, and is its heartbeat too.

import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  runnerApiEndpoints,
  type InspectionRequest,
  type HeldLease,
  type PollResponse,
  type RunnerTask,
} from '#shared/api/runner-api.ts';
import type { RunnerConfig } from '../config/runner-config.ts';
import type { Log } from '../../node/log/log.ts';
import type { Lease, TaskQueue, StopRequest } from '../api/task-queue.ts';
import { hasSpaceForTasks } from '../../node/fs/disk-space.ts';
import { getLoad } from '../../node/process/load.ts';
import type { AsideCount } from '../../node/data-folder/set-aside.ts';
import { version } from '../../node/process/version.ts';
import { ServerUnavailableError } from '../api/server-unavailable.ts';
import { isRemovedRunner, RefusedRequestError, type CallServer } from './server-client.ts';

const RETRY_DELAY_MS = 1000;
const UNRECEIVED_TASKS_DELAY_MS = 50;

export interface HttpTaskQueueOptions {
  ask: CallServer;
  config: Pick<RunnerConfig, 'maxParallelTasks' | 'dataDir' | 'leastDiskBytes'>;
  log: Log;
  ansibleVersion: () => string;
  /** The program for containers with its version; empty: none. */
  containerEngine: () => string;
  gitVersion: () => string;
  /** What was set aside in the data folder; null: not counted yet. */
  aside: () => AsideCount | null;
  /** Called for each request of an inspection. */
  onInspection: (asked: InspectionRequest) => Promise<void>;
  /** Called with the server's time in each response. */
  onServerTime: (time: string) => void;
  /** Called when the server refuses this runner: all its programs must end. */
  onRejected: (words: string) => void;
}

export class HttpTaskQueue implements TaskQueue {
  readonly #options: HttpTaskQueueOptions;
  readonly #session = randomUUID();
  readonly #closing = new AbortController();
  readonly #readyListeners = new Set<() => void>();
  readonly #stopListeners = new Set<(stop: StopRequest) => void>();
  /** The tasks that the runner holds, each with the last stop request for it. */
  #held = new Map<number, HeldLease>();
  /**
   * Incremented when a task is received or parked: the response to an earlier request may assign it again, or
   * not list it as parked.
   */
  #generation = 0;
  #assigned = new Map<number, RunnerTask>();
  #revoked = new Set<number>();
  #parked: number[] = [];
  readonly #runningInspections = new Set<number>();
  readonly #changeListeners = new Set<() => void>();
  /** The server's count of changes of repositories and projects; null: not known yet. */
  #changes: number | null = null;
  readonly #clearListeners = new Set<(asked: string) => void>();
  /** The time of the last request to clear the caches of this runner; null: none. */
  #cacheClearRequestedAt: string | null = null;
  /** How long the server may hold a request at most. */
  #longPollSeconds = 1;
  /** Aborts the open request, so that the next one soon reports which tasks have ended. */
  #pollAbort = new AbortController();
  #isFirstPoll = true;
  #isRejected = false;
  /** Why the server is unreachable; empty: it is reachable. */
  #unreachableReason = '';
  #pollLoop: Promise<void> = Promise.resolve();

  constructor(parts: HttpTaskQueueOptions) {
    this.#options = parts;
  }

  /** Settles with the first response of the server. */
  async start(): Promise<void> {
    while (!this.#closing.signal.aborted && !(await this.#poll(0)));
    this.#pollLoop = this.#pollUntilClosed();
  }

  async #pollUntilClosed(): Promise<void> {
    // The first waits are short, because each request reports what was found meanwhile, such as versions.
    let wait = 1;
    while (!this.#closing.signal.aborted && !this.#isRejected) {
      // Until the assigned tasks are received, the next response would only repeat them.
      if (this.#assigned.size > 0) await delay(UNRECEIVED_TASKS_DELAY_MS);
      await this.#poll(wait);
      wait = Math.min(2 * wait, this.#longPollSeconds);
    }
  }

  /** Polls once; the server may hold the response for `wait` seconds. False: no response. */
  async #poll(wait: number): Promise<boolean> {
    this.#pollAbort = new AbortController();
    const again = this.#pollAbort.signal;
    const signal = AbortSignal.any([this.#closing.signal, again]);
    const generation = this.#generation;
    try {
      const response = await this.#sendPoll(wait, false, signal);
      this.#isFirstPoll = false;
      if (this.#unreachableReason !== '')
        this.#options.log.warn('connection to the server restored');
      this.#unreachableReason = '';
      this.#options.onServerTime(response.time);
      this.#longPollSeconds = response.longest_wait;
      this.#applyResponse(response, generation === this.#generation);
      return true;
    } catch (error) {
      if (this.#closing.signal.aborted) return false;
      if (again.aborted) return true;
      if (error instanceof RefusedRequestError) this.#handleRejection(error);
      else this.#logUnreachable(error);
      await delay(RETRY_DELAY_MS, undefined, { signal }).catch(() => undefined);
      return this.#isRejected;
    }
  }

  /** Logs a reason once, not at each retry. */
  #logUnreachable(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    if (reason === this.#unreachableReason) return;
    this.#unreachableReason = reason;
    const isExpected = error instanceof ServerUnavailableError;
    const facts = isExpected ? { reason } : { err: error };
    this.#options.log.warn(facts, 'server unreachable; retrying');
  }

  async #sendPoll(wait: number, isLeaving: boolean, signal?: AbortSignal): Promise<PollResponse> {
    const hasRoom = hasSpaceForTasks(this.#options.config);
    const body = {
      session: this.#session,
      is_new: this.#isFirstPoll,
      is_leaving: isLeaving,
      version,
      max_parallel_tasks: this.#options.config.maxParallelTasks,
      load: getLoad(),
      is_out_of_room: !hasRoom,
      held: [...this.#held.values()],
      looking: [...this.#runningInspections],
      knows_states: true,
      ansible_version: this.#options.ansibleVersion(),
      traits: {
        container_engine: this.#options.containerEngine(),
        node: process.versions.node,
        git: this.#options.gitVersion(),
        memory_bytes: process.memoryUsage.rss(),
        set_aside: this.#options.aside(),
      },
      wait,
    };
    return this.#options.ask(runnerApiEndpoints.poll, { body }, signal);
  }

  #applyResponse(response: PollResponse, isOfNow: boolean): void {
    const {
      tasks,
      stops,
      taken,
      parked,
      looks: inspections,
      changes,
      cleaning_requested: cleaning,
    } = response;
    for (const asked of inspections) void this.#inspect(asked);
    if (cleaning !== null && cleaning !== this.#cacheClearRequestedAt) {
      for (const listener of this.#clearListeners) listener(cleaning);
    }
    this.#cacheClearRequestedAt = cleaning;
    if (this.#changes !== null && this.#changes !== changes) {
      for (const listener of this.#changeListeners) listener();
    }
    this.#changes = changes;
    for (const { task_id: taskId, force } of stops) {
      const note = this.#held.get(taskId);
      if (note) note.stop = force ? 'forced' : 'asked';
      this.#notifyStop({ taskId, force });
    }
    // The tasks of the runner have changed since the request, so the rest of the response is outdated.
    if (!isOfNow) return;
    this.#updateParked(parked, tasks);
    this.#assigned = new Map(tasks.map((task) => [task.id, task]));
    this.#markRevoked(taken);
    if (tasks.length > 0 || taken.length > 0)
      for (const listener of this.#readyListeners) listener();
  }

  /** A task that is not parked any more, and not assigned to this runner again, was stopped. */
  #updateParked(parked: number[], given: RunnerTask[]): void {
    const gone = this.#parked.filter((id) => !parked.includes(id) && !this.#held.has(id));
    this.#parked = parked;
    for (const id of gone) {
      if (!given.some((task) => task.id === id)) this.#notifyStop({ taskId: id, force: false });
    }
  }

  /** Marks the tasks whose leases are revoked: they were assigned to another runner, or have ended. */
  #markRevoked(taken: number[]): void {
    this.#revoked = new Set(taken);
    for (const id of taken) {
      const note = this.#held.get(id);
      if (note) note.stop = 'forced';
    }
  }

  async #inspect(asked: InspectionRequest): Promise<void> {
    if (this.#runningInspections.has(asked.look_id)) return;
    this.#runningInspections.add(asked.look_id);
    try {
      await this.#options.onInspection(asked);
    } catch (error) {
      // The server reports a timeout of the inspection.
      this.#options.log.warn({ err: error }, 'inspection failed');
    } finally {
      this.#runningInspections.delete(asked.look_id);
    }
  }

  #notifyStop(stop: StopRequest): void {
    for (const listener of this.#stopListeners) listener(stop);
  }

  /** Gives up all tasks if the runner was removed, or if another process uses its identity. */
  #handleRejection(error: RefusedRequestError): void {
    const { message, refusal } = error;
    this.#options.log.error({ refusal }, message);
    if (!isRemovedRunner(error) && refusal !== 'runner.replaced') return;
    this.#isRejected = true;
    this.#revoked = new Set(this.#held.keys());
    for (const listener of this.#readyListeners) listener();
    this.#options.onRejected(message);
  }

  async *receive(held: number[]): AsyncGenerator<RunnerTask> {
    this.#retainTasks((id) => held.includes(id));
    // More tasks may be assigned while the caller works on one.
    for (;;) {
      const [task] = this.#assigned.values();
      if (!task) return;
      this.#assigned.delete(task.id);
      if (this.#held.has(task.id)) continue;
      this.#held.set(task.id, { task_id: task.id, lease: task.lease, stop: 'none' });
      this.#generation += 1;
      yield await Promise.resolve(task);
    }
  }

  /** Forgets the tasks that have ended or were given up. */
  #retainTasks(isHeld: (id: number) => boolean): void {
    const before = this.#held.size;
    this.#held = new Map([...this.#held].filter(([id]) => isHeld(id)));
    if (this.#held.size < before) setTimeout(() => this.#pollAbort.abort(), RETRY_DELAY_MS).unref();
  }

  forgetTask(taskId: number): void {
    this.#held.delete(taskId);
  }

  park(taskId: number): void {
    this.forgetTask(taskId);
    this.#generation += 1;
    this.#parked = [...this.#parked, taskId];
  }

  onReady(listener: () => void): () => void {
    this.#readyListeners.add(listener);
    return () => this.#readyListeners.delete(listener);
  }

  onStop(listener: (stop: StopRequest) => void): () => void {
    this.#stopListeners.add(listener);
    return () => this.#stopListeners.delete(listener);
  }

  onClear(listener: (asked: string) => void): () => void {
    this.#clearListeners.add(listener);
    if (this.#cacheClearRequestedAt !== null) listener(this.#cacheClearRequestedAt);
    return () => this.#clearListeners.delete(listener);
  }

  onChange(listener: () => void): () => void {
    this.#changeListeners.add(listener);
    return () => this.#changeListeners.delete(listener);
  }

  listRevoked(held: Lease[]): Promise<number[]> {
    return Promise.resolve(held.map(({ id }) => id).filter((id) => this.#revoked.has(id)));
  }

  async listInterrupted(): Promise<RunnerTask[]> {
    const left: RunnerTask[] = [];
    for await (const task of this.receive([])) left.push(task);
    return left;
  }

  listParked(): Promise<number[]> {
    return Promise.resolve(this.#parked);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#pollLoop;
    if (this.#isRejected) return;
    await this.#sendPoll(0, true).catch((error: unknown) => {
      this.#options.log.warn({ err: error }, 'reporting the shutdown to the server failed');
    });
  }
}
