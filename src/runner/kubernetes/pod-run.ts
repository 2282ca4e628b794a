// Follows the pod of one task from its creation to its end. The side-car in it runs the task and reports to the server;
// the runner only starts it, passes requests to stop on, and ends the task when the cluster says that the pod cannot.

import { setTimeout as delay } from 'node:timers/promises';
import { type Failure, taskFailures } from '#shared/catalogue/task-failures.ts';
import type { RunEnd } from '../api/runner-api.ts';
import { isServerUnavailable } from '../api/server-unavailable.ts';
import { RefusedRequestError } from '../client/server-client.ts';
import { createTaskLog } from '../log/task-log.ts';
import type { BeginRequest } from '../side-car/requests.ts';
import type { Pod } from './cluster.ts';
import type { PodRunOptions } from './pod-run-options.ts';
import { ClusterRefused, mayPass } from './cluster-calls.ts';
import { podFor, podName } from './pod-spec.ts';
import {
  clusterFailure,
  endFailure,
  hasMainStarted,
  hasStartError,
  isDeleted,
  isSideCarRunning,
  mainDigest,
  sideCarExit,
  startFailure,
  whyUnscheduled,
  whyWaiting,
} from './pod-state.ts';
import { sendRequest } from './side-car-client.ts';

const retryMs = 1000;
const lookMs = 2000;
const fastLookMs = 50;
const slowLookMs = 500;
/** How long after its start a task is told its image: programs that start at the same time would slow each other down. */
const imageDelayMs = 500;
/** How long after its placement on a node a pod is expected to start. */
const MAX_FAST_MS = 5000;
/** How long errors that may pass, such as one of a registry, are waited out. */
const MAX_PASSING_MS = 20_000;
/** How long a side-car may take to end a task after it was told to kill its programs. */
const MAX_FORCED_MS = 30_000;
/** How often the containers of a task are started. */
const MAX_STARTS = 2;
/** How long a side-car may take to end after its task. */
const MAX_LAST_SECONDS = 5;
/** How long the side-car has to report the last lines of a pod that cannot go on. */
const LAST_LINES_MS = 2000;

export class PodRun {
  readonly #options: PodRunOptions;
  #name: string;
  #starts = 1;
  readonly #since = Date.now();
  #scheduledAt: number | null = null;
  #passingSince: number | null = null;
  #isSeen = false;
  /** Why the cluster ends the pod; null: it does not. */
  #byCluster: Failure | null = null;
  #begin: BeginRequest | null = null;
  /** When the side-car has got its task; null: not yet. */
  #begunAt: number | null = null;
  #hasImage = false;
  #stopSent: 'none' | 'asked' | 'forced' = 'none';
  #forcedAt: number | null = null;
  #revokedAt: number | null = null;
  #saidReason = '';

  constructor(options: PodRunOptions) {
    this.#options = options;
    this.#name = podName(options);
  }

  /** Settles when the task is over, parked, taken away, or left to the next runner. */
  async run(): Promise<void> {
    const { control, watch } = this.#options;
    const existing = this.#find();
    if (existing) this.#name = existing.metadata?.name ?? this.#name;
    else if (this.#options.task.step > 0) return void (await this.#endWithout('it is gone'));
    else if (!(await this.#create())) return;
    while (control.reason !== 'detached') {
      if (await this.#look()) return;
      await watch.change(this.#pause, control.signal);
    }
  }

  /** Until the side-car has its task, it is looked for often: kubelet reports containers up to a second late. */
  get #pause(): number {
    if (this.#begunAt !== null) return this.#hasImage ? lookMs : imageDelayMs;
    if (this.#scheduledAt === null) return lookMs;
    return Date.now() - this.#scheduledAt < MAX_FAST_MS ? fastLookMs : slowLookMs;
  }

  /** The pod that an earlier runner has made, or of a task that has begun, this one before a confirmation. */
  #find(): Pod | undefined {
    const { watch, task } = this.#options;
    const isOfLease = ({ metadata }: Pod): boolean => {
      const name = metadata?.name ?? '';
      return name === this.#name || name.startsWith(`${this.#name}-`);
    };
    const open = watch
      .ofTask(task.id)
      .filter((pod) => !isDeleted(pod) && sideCarExit(pod) === null);
    if (task.step > 0) return open[0];
    return open.find(isOfLease) ?? watch.get(this.#name);
  }

  /** False: the task has ended without a pod. */
  async #create(): Promise<boolean> {
    const { cluster, config, control, watch } = this.#options;
    const pod = podFor({ ...this.#options, owner: cluster.owner, name: this.#name });
    for (;;) {
      if (control.reason === 'detached') return false;
      if (control.reason) return this.#endAs({ to: 'stopped', exitCode: null, failure: null });
      try {
        await cluster.createPod(pod);
        break;
      } catch (error) {
        // An earlier request has made it, or another pod of this name is not gone yet.
        if (error instanceof ClusterRefused && error.status === 409) break;
        const reason = (error as Error).message;
        const isLate = Date.now() - this.#since > config.startSeconds * 1000;
        if (!mayPass(error) || isLate) {
          const params = { reason, namespace: cluster.namespace };
          return this.#fail({ code: 'failure.pod_refused', params });
        }
        await this.#say(`The cluster does not take the pod yet: ${reason}`);
        await delay(retryMs * 2, undefined, { signal: control.signal }).catch(() => undefined);
      }
    }
    // Its events may be late.
    await watch.refresh().catch(() => undefined);
    return true;
  }

  /** True: nothing more has to be done. */
  async #look(): Promise<boolean> {
    const { watch, control, isRevoked } = this.#options;
    const pod = watch.get(this.#name);
    if (control.reason === 'stopped') await this.#passStop(pod);
    if (control.reason && (await isRevoked()) && (await this.#isLeft())) return true;
    if (!pod) return this.#lookAgain();
    this.#isSeen = true;
    this.#byCluster ??= clusterFailure(pod);
    if (sideCarExit(pod) === 0) return this.#conclude();
    const failure = endFailure(pod, this.#described) ?? this.#overdue(pod);
    if (failure) return this.#endWith(failure, pod);
    if (this.#isStopOver(pod)) {
      await this.#endAs({ to: 'stopped', exitCode: null, failure: null });
      return this.#remove();
    }
    await this.#sayWhyWaiting(pod);
    if (whyUnscheduled(pod) === null) await this.#serve(pod);
    return false;
  }

  /** Whether a stopped task has not begun, or its side-car does not end it. */
  #isStopOver(pod: Pod): boolean {
    if (this.#options.control.reason !== 'stopped') return false;
    const isLate = this.#forcedAt !== null && Date.now() - this.#forcedAt > MAX_FORCED_MS;
    return isLate || (this.#begunAt === null && !isSideCarRunning(pod));
  }

  /** A list right after the creation may have failed, and a later one may be from before it. */
  async #lookAgain(): Promise<boolean> {
    const { config, watch } = this.#options;
    const isRead = await watch.refresh().then(
      () => true,
      () => false,
    );
    const isLate = !this.#isSeen && Date.now() - this.#since > config.startSeconds * 1000;
    const isGone = isRead && watch.get(this.#name) === undefined;
    return (isGone || isLate) && this.#endWithout('it was deleted');
  }

  /** Whether the pod is left to the next lease or to the sweep: that of a task that has ended ends itself soon. */
  async #isLeft(): Promise<boolean> {
    this.#revokedAt ??= Date.now();
    const isLate = Date.now() - this.#revokedAt > MAX_LAST_SECONDS * 1000;
    return isLate || (await this.#options.isParked());
  }

  get #described() {
    const { execution, task, limits, config, ctx } = this.#options;
    const url = config.serverUrl ?? ctx.config.publicUrl ?? '';
    const { path: program } = task.snapshot.program;
    return { image: execution.image, program, memoryMib: limits.memoryMib, url };
  }

  /** Why the pod has taken too long to start; null: it has not. */
  #overdue(pod: Pod): Failure | null {
    const { config, execution } = this.#options;
    const seconds = config.startSeconds;
    const isLate = (since: number): boolean => Date.now() - since > seconds * 1000;
    const unscheduled = whyUnscheduled(pod);
    if (unscheduled !== null) {
      const params = { seconds, reason: unscheduled };
      return isLate(this.#since) ? { code: 'failure.pod_unschedulable', params } : null;
    }
    this.#scheduledAt ??= Date.now();
    const start = startFailure(pod, execution.image);
    this.#passingSince = start ? (this.#passingSince ?? Date.now()) : null;
    if (start && !start.isPassing) return start.failure;
    if (start && Date.now() - (this.#passingSince ?? 0) > MAX_PASSING_MS) return start.failure;
    if (hasMainStarted(pod) || !isLate(this.#scheduledAt)) return null;
    const params = { seconds, reason: whyWaiting(pod), node: pod.spec?.nodeName ?? '' };
    return { code: 'failure.pod_not_started', params };
  }

  /** Says why the task does not begin, before the side-car writes its log. */
  async #sayWhyWaiting(pod: Pod): Promise<void> {
    const reason = whyUnscheduled(pod);
    const hasWaited = Date.now() - this.#since > lookMs;
    if (reason === null || !hasWaited || this.#begunAt !== null) return;
    await this.#say(`The pod waits for a node: ${reason}`);
  }

  async #serve(pod: Pod): Promise<void> {
    const { begin, execution } = this.#options;
    // Refused until the side-car runs.
    if (this.#begunAt === null) {
      const isSent = await this.#send(async () => (this.#begin ??= await begin()));
      if (isSent) this.#begunAt = Date.now();
      return;
    }
    const digest = mainDigest(pod);
    const isEarly = Date.now() - this.#begunAt < imageDelayMs;
    if (isEarly || this.#hasImage || digest === null) return;
    const { image: name } = execution;
    this.#hasImage = await this.#send(() => Promise.resolve({ kind: 'image', name, digest }));
  }

  async #passStop(pod: Pod | undefined): Promise<void> {
    const { control } = this.#options;
    const wanted = control.isForced ? 'forced' : 'asked';
    if (control.isForced) this.#forcedAt ??= Date.now();
    if (!pod || !isSideCarRunning(pod) || this.#stopSent === wanted) return;
    const isSent = await this.#send(() =>
      Promise.resolve({ kind: 'stop', force: wanted === 'forced' }),
    );
    if (isSent) this.#stopSent = wanted;
  }

  /** False: it is sent again later. */
  async #send(make: () => Promise<Parameters<typeof sendRequest>[2]>): Promise<boolean> {
    const { cluster, ctx, task } = this.#options;
    try {
      await sendRequest(cluster, this.#name, await make());
      return true;
    } catch (error) {
      ctx.log.debug({ err: error, taskId: task.id }, 'request to a side-car not sent; retrying');
      return false;
    }
  }

  /** The pod is gone: the task may have ended before. */
  async #endWithout(reason: string): Promise<true> {
    await this.#fail(this.#lost(reason));
    return true;
  }

  #lost(reason: string): Failure {
    return this.#byCluster ?? { code: 'failure.pod_lost', params: { reason } };
  }

  async #endWith(failure: Failure, pod: Pod): Promise<boolean> {
    if (hasStartError(pod) && this.#starts < MAX_STARTS) return this.#startAgain();
    if (isSideCarRunning(pod)) await delay(LAST_LINES_MS);
    await this.#fail(failure);
    return this.#remove();
  }

  /** The side-car ends when its task has. Only one that was given another lease meanwhile leaves it. */
  async #conclude(): Promise<true> {
    await this.#endAs({ to: 'error', exitCode: null, failure: this.#lost('its side-car ended') });
    return this.#remove();
  }

  /** A kubelet that ends breaks the start of a container as a missing shell does. Nothing of the task has run. */
  async #startAgain(): Promise<boolean> {
    await this.#remove();
    this.#starts += 1;
    this.#name = `${podName(this.#options)}-${this.#starts}`;
    this.#isSeen = false;
    this.#begunAt = null;
    this.#hasImage = false;
    this.#scheduledAt = null;
    this.#passingSince = null;
    return !(await this.#create());
  }

  /** Removes the pod, whose task has ended. */
  async #remove(): Promise<true> {
    const { cluster, ctx, task } = this.#options;
    try {
      await cluster.deletePod(this.#name, 1);
    } catch (error) {
      // The next sweep tries again.
      ctx.log.warn({ err: error, taskId: task.id }, 'removing a pod failed');
    }
    return true;
  }

  async #fail(failure: Failure): Promise<false> {
    const { control } = this.#options;
    await this.#say(taskFailures.message(failure));
    if (control.reason === 'stopped') {
      return this.#endAs({ to: 'stopped', exitCode: null, failure: null });
    }
    return this.#endAs({ to: 'error', exitCode: null, failure });
  }

  /** Does nothing if the side-car has ended the task. */
  async #endAs(end: RunEnd): Promise<false> {
    const { ctx, task } = this.#options;
    await this.#reported(() => ctx.runnerApi.end(task, end));
    return false;
  }

  /** Adds a line after those that are stored. */
  async #say(line: string): Promise<void> {
    if (line === this.#saidReason) return;
    this.#saidReason = line;
    const { ctx, task } = this.#options;
    await this.#reported(async () => {
      const total = await ctx.runnerApi.countLines(task);
      const log = createTaskLog(ctx, { ...task, log_lines: total }, (text) => text);
      await log.say(line.split('\n'));
      await log.flush();
    });
  }

  /** Reports to the server as soon as it can be reached. A refused report is of a task that has ended. */
  async #reported(report: () => Promise<unknown>): Promise<void> {
    const { control } = this.#options;
    while (control.reason !== 'detached') {
      try {
        await report();
        return;
      } catch (error) {
        if (error instanceof RefusedRequestError) return;
        if (!isServerUnavailable(error)) throw error;
        await delay(retryMs);
      }
    }
  }
}
