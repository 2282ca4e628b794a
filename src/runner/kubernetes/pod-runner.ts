// Runs the tasks of a runner in pods, in place of programs of its own.

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { runnerApiEndpoints, type RunnerTask } from '#shared/api/runner-api.ts';
import type { RunContext } from '../api/runner-api.ts';
import type { CallServer } from '../client/server-client.ts';
import { ConfigError } from '../../node/config-error.ts';
import type { KubernetesConfig } from '../config/runner-config.ts';
import { ExecutionFailed } from '../execution/execution-failed.ts';
import { podLimits } from '../pods/open-pod.ts';
import type { TaskControl } from '../runs/control.ts';
import { heldLimits } from '../runs/supervisors.ts';
import type { TaskPrograms } from '../runs/task-programs.ts';
import type { BeginRequest } from '../side-car/requests.ts';
import type { Log } from '../../node/log/log.ts';
import { version } from '../../node/process/version.ts';
import { openCluster, type Cluster } from './cluster.ts';
import { ClusterRefused } from './cluster-calls.ts';
import { PodRun } from './pod-run.ts';
import { runnerLabel, taskLabel } from './pod-spec.ts';
import { PodWatch } from './pod-watch.ts';

const retryMs = 5000;
const sweepMs = 10_000;

export interface PodRunnerOptions {
  kubernetes: KubernetesConfig;
  /** Identifies the runner in all installations. */
  identity: string;
  /** The address of the server for this runner. */
  serverUrl: string;
  callServer: CallServer;
  /** The tasks that the server has taken from this runner. */
  listRevoked: (tasks: Pick<RunnerTask, 'id' | 'lease'>[]) => Promise<number[]>;
  /** The tasks that wait for a confirmation, with their pods. */
  listParked: () => Promise<number[]>;
  log: Log;
}

export class PodRunner implements TaskPrograms {
  readonly #options: PodRunnerOptions;
  readonly #cluster: Cluster;
  readonly #watch: PodWatch;
  readonly #label: string;
  readonly #running = new Set<number>();
  /** Pods without a task at the last sweep. */
  #strays = new Set<string>();
  readonly #timer: NodeJS.Timeout;

  private constructor(options: PodRunnerOptions, cluster: Cluster, watch: PodWatch, label: string) {
    this.#options = options;
    this.#cluster = cluster;
    this.#watch = watch;
    this.#label = label;
    this.#timer = setInterval(() => void this.#sweep(), sweepMs);
  }

  /** Settles when the cluster answers. Throws a ConfigError if it refuses this runner. */
  static async open(options: PodRunnerOptions): Promise<PodRunner> {
    const { kubernetes, identity, log } = options;
    const label = createHash('sha256').update(identity).digest('hex').slice(0, 12);
    for (;;) {
      try {
        const cluster = await openCluster(kubernetes);
        const watch = new PodWatch(cluster, `${runnerLabel}=${label}`, log);
        await watch.start();
        return new PodRunner(options, cluster, watch, label);
      } catch (error) {
        if (error instanceof ConfigError) throw error;
        if (error instanceof ClusterRefused && [401, 403].includes(error.status)) {
          throw new ConfigError(`The cluster refuses this runner: ${error.message}`, {
            cause: error,
          });
        }
        log.warn({ err: error }, 'the cluster does not answer; retrying');
        await delay(retryMs);
      }
    }
  }

  describe(): Promise<string> {
    return Promise.resolve(`kubernetes ${this.#cluster.version}`);
  }

  async run(ctx: RunContext, task: RunnerTask, control: TaskControl): Promise<void> {
    this.#running.add(task.id);
    try {
      await this.#runPod(ctx, task, control);
    } catch (error) {
      if (!(error instanceof ExecutionFailed)) throw error;
      await ctx.runnerApi.end(task, { to: 'error', exitCode: null, failure: error.failure });
    } finally {
      this.#running.delete(task.id);
    }
  }

  async #runPod(ctx: RunContext, task: RunnerTask, control: TaskControl): Promise<void> {
    const { kubernetes: config, listRevoked, listParked } = this.#options;
    const execution = task.snapshot.executionEnvironment;
    if (execution?.kind !== 'pod') {
      const params = { name: execution?.name ?? '', kind: execution?.kind ?? 'server' };
      throw new ExecutionFailed('failure.execution_kind', params);
    }
    const { service_account: account } = execution;
    if (account !== '' && !config.serviceAccounts.includes(account)) {
      const setting = 'SIGNALBOX_KUBERNETES_SERVICE_ACCOUNTS';
      const params = { option: 'service account', value: account, setting };
      throw new ExecutionFailed('failure.container_option', params);
    }
    const run = new PodRun({
      ctx,
      config,
      cluster: this.#cluster,
      watch: this.#watch,
      runner: this.#label,
      task,
      execution,
      limits: heldLimits({ ctx, task }, podLimits).held,
      control,
      begin: () => this.#begin(ctx, task),
      isRevoked: async () => (await listRevoked([task])).length > 0,
      isParked: async () => (await listParked()).includes(task.id),
    });
    await run.run();
  }

  async #begin({ config }: RunContext, { id, lease }: RunnerTask): Promise<BeginRequest> {
    const { kubernetes, callServer, serverUrl } = this.#options;
    const request = { params: { task_id: id }, body: { lease } };
    const { credential } = await callServer(runnerApiEndpoints.delegate, request);
    const { publicUrl, pinSshHostKeys, taskLimits, requireTaskLimits } = config;
    const { proxies, taskEnvironment, logLevel } = config;
    return {
      kind: 'begin',
      version,
      task_id: id,
      lease,
      url: kubernetes.serverUrl ?? serverUrl,
      credential,
      config: {
        publicUrl,
        pinSshHostKeys,
        taskLimits,
        requireTaskLimits,
        proxies,
        taskEnvironment,
        logLevel,
      },
      server_ca: await textOf(config.serverCaFile),
      git_ca: await textOf(config.gitCaFile),
    };
  }

  async removeStrays(taskIds: number[]): Promise<void> {
    const ids = taskIds.map(String);
    const strays = this.#watch.all.filter(
      ({ metadata }) => !ids.includes(metadata?.labels?.[taskLabel] ?? ''),
    );
    await Promise.all(strays.map(({ metadata }) => this.#delete(metadata?.name ?? '')));
  }

  async removeParked(taskId: number): Promise<void> {
    const own = this.#watch.ofTask(taskId);
    await Promise.all(own.map(({ metadata }) => this.#delete(metadata?.name ?? '')));
  }

  /** Removes pods without a task, which an error or a lost lease has left, when it sees them for the second time. */
  async #sweep(): Promise<void> {
    const parked = await this.#options.listParked();
    const isKept = (id: number): boolean => this.#running.has(id) || parked.includes(id);
    const names = this.#watch.all
      .filter(({ metadata }) => !isKept(Number(metadata?.labels?.[taskLabel])))
      .map(({ metadata }) => metadata?.name ?? '');
    const due = names.filter((name) => this.#strays.has(name));
    this.#strays = new Set(names);
    await Promise.all(due.map((name) => this.#delete(name)));
  }

  async #delete(name: string): Promise<void> {
    await this.#cluster.deletePod(name, 10).catch((error: unknown) => {
      this.#options.log.warn({ err: error, pod: name }, 'removing a pod failed');
    });
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#watch.close();
  }
}

const textOf = async (path: string | null): Promise<string | null> =>
  path === null ? null : readFile(path, 'utf8');
