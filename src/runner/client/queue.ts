// The queue of a runner: it asks the server for news, one request after the other. Each request lists
// the tasks that the runner holds, and is its heartbeat too.

import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  runnerDesk,
  type AskedLook,
  type HeldNote,
  type RunnerNews,
  type RunnerTask,
} from '#shared/api/runner-desk.ts';
import type { RunnerConfig } from '../system/config.ts';
import type { Log } from '../system/log.ts';
import type { Lease, Queue, Stop } from '../desk/queue.ts';
import { hasRoomForTasks } from '../system/free-room.ts';
import { loadNow } from '../system/load.ts';
import type { AsideCount } from '../system/set-aside.ts';
import { version } from '../system/version.ts';
import { ServerAway } from '../desk/away.ts';
import { Refusal, type Ask } from './ask.ts';

const retryPauseMs = 1000;
const untakenPauseMs = 50;

export interface RemoteQueueParts {
  ask: Ask;
  config: Pick<RunnerConfig, 'maxParallelTasks' | 'dataDir' | 'leastDiskBytes'>;
  log: Log;
  ansibleVersion: () => string;
  gitVersion: () => string;
  /** What was set aside in the data folder; null: not counted yet. */
  aside: () => AsideCount | null;
  /** Called when somebody waits for a look. */
  onLook: (asked: AskedLook) => Promise<void>;
  /** Called with the time of the server at each answer. */
  onTime: (time: string) => void;
  /** Called when the server refuses this runner: all its programs must end. */
  onShutOut: (words: string) => void;
}

export class RemoteQueue implements Queue {
  readonly #parts: RemoteQueueParts;
  readonly #session = randomUUID();
  readonly #closing = new AbortController();
  readonly #ready = new Set<() => void>();
  readonly #stopped = new Set<(stop: Stop) => void>();
  /** The tasks that the runner holds, each with the stop that it was told of. */
  #held = new Map<number, HeldNote>();
  /**
   * Grows with each task that is taken or parked: the answer to a request from before may give it once
   * more, or not know that it is parked. Of a task that has ended it gives nothing, as the request named it.
   */
  #generation = 0;
  #given = new Map<number, RunnerTask>();
  #taken = new Set<number>();
  #parked: number[] = [];
  readonly #looking = new Set<number>();
  readonly #changed = new Set<() => void>();
  /** The server's count of changes of repositories and projects; null: not known yet. */
  #changes: number | null = null;
  readonly #cleared = new Set<(asked: string) => void>();
  /** When the server was last told to have the caches of this runner cleared; null: never. */
  #cleaning: string | null = null;
  /** The most seconds for which the server lets a request wait. */
  #longestWait = 1;
  /** Ends the open request, so that the next one tells soon which tasks were left. */
  #again = new AbortController();
  #isNew = true;
  #isShutOut = false;
  /** Why the server cannot be reached now; empty: it can. */
  #away = '';
  #asking: Promise<void> = Promise.resolve();

  constructor(parts: RemoteQueueParts) {
    this.#parts = parts;
  }

  /** Settles with the first answer of the server. */
  async start(): Promise<void> {
    while (!this.#closing.signal.aborted && !(await this.#question(0)));
    this.#asking = this.#askOn();
  }

  async #askOn(): Promise<void> {
    // The first waits are short, because each request tells what was found out meanwhile, such as versions.
    let wait = 1;
    while (!this.#closing.signal.aborted && !this.#isShutOut) {
      // Until the given tasks are taken, the next answer would only repeat them.
      if (this.#given.size > 0) await delay(untakenPauseMs);
      await this.#question(wait);
      wait = Math.min(2 * wait, this.#longestWait);
    }
  }

  /** Asks once for news; `wait` is how long the server may hold the answer. False: there was no answer. */
  async #question(wait: number): Promise<boolean> {
    this.#again = new AbortController();
    const again = this.#again.signal;
    const signal = AbortSignal.any([this.#closing.signal, again]);
    const generation = this.#generation;
    try {
      const news = await this.#ask(wait, false, signal);
      this.#isNew = false;
      if (this.#away !== '') this.#parts.log.warn('the server answers again');
      this.#away = '';
      this.#parts.onTime(news.time);
      this.#longestWait = news.longest_wait;
      this.#apply(news, generation === this.#generation);
      return true;
    } catch (error) {
      if (this.#closing.signal.aborted) return false;
      if (again.aborted) return true;
      if (error instanceof Refusal) this.#leave(error);
      else this.#tellAway(error);
      await delay(retryPauseMs, undefined, { signal }).catch(() => undefined);
      return this.#isShutOut;
    }
  }

  /** Logs a reason once, because the server is asked again every second. */
  #tellAway(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    if (reason === this.#away) return;
    this.#away = reason;
    const isExpected = error instanceof ServerAway;
    const facts = isExpected ? { reason } : { err: error };
    this.#parts.log.warn(facts, 'the server cannot be reached; trying again');
  }

  async #ask(wait: number, isLeaving: boolean, signal?: AbortSignal): Promise<RunnerNews> {
    const hasRoom = hasRoomForTasks(this.#parts.config);
    const body = {
      session: this.#session,
      is_new: this.#isNew,
      is_leaving: isLeaving,
      version,
      max_parallel_tasks: this.#parts.config.maxParallelTasks,
      load: loadNow(),
      is_out_of_room: !hasRoom,
      held: [...this.#held.values()],
      looking: [...this.#looking],
      knows_states: true,
      ansible_version: this.#parts.ansibleVersion(),
      traits: {
        node: process.versions.node,
        git: this.#parts.gitVersion(),
        memory_bytes: process.memoryUsage.rss(),
        set_aside: this.#parts.aside(),
      },
      wait,
    };
    return this.#parts.ask(runnerDesk.news, { body }, signal);
  }

  #apply(news: RunnerNews, isOfNow: boolean): void {
    const { tasks, stops, taken, parked, looks, changes, cleaning_requested: cleaning } = news;
    for (const asked of looks) void this.#look(asked);
    if (cleaning !== null && cleaning !== this.#cleaning) {
      for (const listener of this.#cleared) listener(cleaning);
    }
    this.#cleaning = cleaning;
    if (this.#changes !== null && this.#changes !== changes) {
      for (const listener of this.#changed) listener();
    }
    this.#changes = changes;
    for (const { task_id: taskId, force } of stops) {
      const note = this.#held.get(taskId);
      if (note) note.stop = force ? 'forced' : 'asked';
      this.#stop({ taskId, force });
    }
    // The tasks of the runner have changed since the request, so the rest of the answer is outdated.
    if (!isOfNow) return;
    this.#seeParked(parked, tasks);
    this.#given = new Map(tasks.map((task) => [task.id, task]));
    this.#lose(taken);
    if (tasks.length > 0 || taken.length > 0) for (const listener of this.#ready) listener();
  }

  /** A task that is parked no more and was not given to this runner again has been stopped. */
  #seeParked(parked: number[], given: RunnerTask[]): void {
    const gone = this.#parked.filter((id) => !parked.includes(id) && !this.#held.has(id));
    this.#parked = parked;
    for (const id of gone) {
      if (!given.some((task) => task.id === id)) this.#stop({ taskId: id, force: false });
    }
  }

  /** Notes the tasks that belong to another runner by now, or have ended. */
  #lose(taken: number[]): void {
    this.#taken = new Set(taken);
    for (const id of taken) {
      const note = this.#held.get(id);
      if (note) note.stop = 'forced';
    }
  }

  async #look(asked: AskedLook): Promise<void> {
    if (this.#looking.has(asked.look_id)) return;
    this.#looking.add(asked.look_id);
    try {
      await this.#parts.onLook(asked);
    } catch (error) {
      // The server tells whoever waits that the look took too long.
      this.#parts.log.warn({ err: error }, 'a look could not be answered');
    } finally {
      this.#looking.delete(asked.look_id);
    }
  }

  #stop(stop: Stop): void {
    for (const listener of this.#stopped) listener(stop);
  }

  /** Gives up all tasks if the runner was removed, or if another process uses its identity. */
  #leave({ status, message, refusal }: Refusal): void {
    this.#parts.log.error({ refusal }, message);
    if (status !== 401 && refusal !== 'runner.replaced') return;
    this.#isShutOut = true;
    this.#taken = new Set(this.#held.keys());
    for (const listener of this.#ready) listener();
    this.#parts.onShutOut(message);
  }

  async *take(held: number[]): AsyncGenerator<RunnerTask> {
    this.#keep((id) => held.includes(id));
    // More tasks may be given while the caller works on one.
    for (;;) {
      const [task] = this.#given.values();
      if (!task) return;
      this.#given.delete(task.id);
      if (this.#held.has(task.id)) continue;
      this.#held.set(task.id, { task_id: task.id, lease: task.lease, stop: 'none' });
      this.#generation += 1;
      yield await Promise.resolve(task);
    }
  }

  /** Forgets the other tasks, which have ended or were left. */
  #keep(isHeld: (id: number) => boolean): void {
    const before = this.#held.size;
    this.#held = new Map([...this.#held].filter(([id]) => isHeld(id)));
    if (this.#held.size < before) setTimeout(() => this.#again.abort(), retryPauseMs).unref();
  }

  /** Forgets a task that has ended. */
  letGo(taskId: number): void {
    this.#held.delete(taskId);
  }

  /** Notes that a task was parked. */
  park(taskId: number): void {
    this.letGo(taskId);
    this.#generation += 1;
    this.#parked = [...this.#parked, taskId];
  }

  onReady(listener: () => void): () => void {
    this.#ready.add(listener);
    return () => this.#ready.delete(listener);
  }

  onStop(listener: (stop: Stop) => void): () => void {
    this.#stopped.add(listener);
    return () => this.#stopped.delete(listener);
  }

  onClear(listener: (asked: string) => void): () => void {
    this.#cleared.add(listener);
    if (this.#cleaning !== null) listener(this.#cleaning);
    return () => this.#cleared.delete(listener);
  }

  onChange(listener: () => void): () => void {
    this.#changed.add(listener);
    return () => this.#changed.delete(listener);
  }

  listTaken(held: Lease[]): Promise<number[]> {
    return Promise.resolve(held.map(({ id }) => id).filter((id) => this.#taken.has(id)));
  }

  async listLeftBehind(): Promise<RunnerTask[]> {
    const left: RunnerTask[] = [];
    for await (const task of this.take([])) left.push(task);
    return left;
  }

  listParked(): Promise<number[]> {
    return Promise.resolve(this.#parked);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#asking;
    if (this.#isShutOut) return;
    await this.#ask(0, true).catch((error: unknown) => {
      this.#parts.log.warn({ err: error }, 'the server could not be told that this runner ends');
    });
  }
}
