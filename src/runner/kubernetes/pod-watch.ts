// The pods of a runner as the cluster describes them. A broken connection is opened again: a list then replaces what was
// missed. The informer of the client ends for good at the first one.

import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../node/log/log.ts';
import type { Cluster, Pod } from './cluster.ts';
import { taskLabel } from './pod-spec.ts';

const retryMs = 1000;

export class PodWatch {
  readonly #cluster: Cluster;
  readonly #label: string;
  readonly #log: Log;
  readonly #closing = new AbortController();
  readonly #pods = new Map<string, Pod>();
  #waiting: (() => void)[] = [];
  #isAway = false;
  #work: Promise<void> = Promise.resolve();

  constructor(cluster: Cluster, label: string, log: Log) {
    this.#cluster = cluster;
    this.#label = label;
    this.#log = log;
  }

  /** Settles when all pods are known. */
  async start(): Promise<void> {
    const from = await this.#list();
    this.#work = this.#follow(from);
  }

  get all(): Pod[] {
    return [...this.#pods.values()];
  }

  /** The pods of a task, of all its leases. */
  ofTask(taskId: number): Pod[] {
    return this.all.filter(({ metadata }) => metadata?.labels?.[taskLabel] === String(taskId));
  }

  /** Undefined: the cluster has no such pod. */
  get(name: string): Pod | undefined {
    return this.#pods.get(name);
  }

  /** Settles at the next change of any pod, after this time, or when the signal fires. */
  async change(ms: number, signal: AbortSignal): Promise<void> {
    const changed = Promise.withResolvers<void>();
    this.#waiting.push(changed.resolve);
    const timer = setTimeout(changed.resolve, ms);
    signal.addEventListener('abort', () => changed.resolve());
    await changed.promise;
    clearTimeout(timer);
  }

  /** Adds pods whose events may be late. The list may be older than events, so it replaces nothing that is known. */
  async refresh(): Promise<void> {
    const { pods } = await this.#cluster.listPods(this.#label);
    for (const pod of pods) {
      const name = pod.metadata?.name ?? '';
      if (!this.#pods.has(name)) this.#pods.set(name, pod);
    }
    this.#notify();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#notify();
    await this.#work;
  }

  async #list(): Promise<string> {
    const { pods, resourceVersion } = await this.#cluster.listPods(this.#label);
    this.#pods.clear();
    for (const pod of pods) this.#pods.set(pod.metadata?.name ?? '', pod);
    this.#notify();
    return resourceVersion;
  }

  async #follow(first: string): Promise<void> {
    const { signal } = this.#closing;
    let from: string | null = first;
    while (!signal.aborted) {
      try {
        from ??= await this.#list();
        if (this.#isAway) this.#log.warn({}, 'connection to the cluster restored');
        this.#isAway = false;
        const query = { labelSelector: this.#label, resourceVersion: from };
        await this.#cluster.watchPods(query, ({ type, pod }) => this.#take(type, pod), signal);
      } catch (error) {
        if (signal.aborted) return;
        if (!this.#isAway) this.#log.warn({ err: error }, 'the cluster does not answer; retrying');
        this.#isAway = true;
        await delay(retryMs, undefined, { signal }).catch(() => undefined);
      }
      from = null;
    }
  }

  #take(type: string, pod: Pod): void {
    const name = pod.metadata?.name;
    // Such as an ERROR (410), after which the connection ends in order, or a BOOKMARK.
    if (name === undefined || pod.kind !== 'Pod' || type === 'BOOKMARK') return;
    if (type === 'DELETED') this.#pods.delete(name);
    else if (type === 'ADDED' || type === 'MODIFIED') this.#pods.set(name, pod);
    this.#notify();
  }

  #notify(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const settle of waiting) settle();
  }
}
