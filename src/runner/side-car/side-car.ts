// The side-car of a pod: runs one task as a runner does, with the programs of the main container, and ends. It knows
// nothing of the cluster. A task that was parked for a confirmation goes on when the runner says so.

import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { JWK } from 'jose';
import { runnerApiEndpoints, type PublicKey } from '#shared/api/runner-api.ts';
import type { TaskTools } from '#shared/api/task-changes.ts';
import { isServerUnavailable } from '../api/server-unavailable.ts';
import type { RunContext, RunnerApi } from '../api/runner-api.ts';
import { trustAuthority } from '../client/authority.ts';
import { createHttpRunnerApi } from '../client/http-runner-api.ts';
import { serverClock } from '../client/server-clock.ts';
import {
  createServerClient,
  RefusedRequestError,
  type CallServer,
} from '../client/server-client.ts';
import type { Log } from '../../node/log/log.ts';
import { endMain, giveSupervisor, isMainReady } from '../pods/main-container.ts';
import { podFolders } from '../pods/pod-folders.ts';
import { TaskControl } from '../runs/control.ts';
import { runTask } from '../runs/run-task.ts';
import { supervisorScript } from '../supervisor/supervisor.ts';
import { prepareDataDir } from '../workspace/data-dir.ts';
import { version } from '../../node/process/version.ts';
import { readRequests, type BeginRequest, type SideCarRequest } from './requests.ts';
import { unreachedCode } from './exit-codes.ts';
import { sideCarConfig } from './side-car-config.ts';

const retryMs = 1000;
/** How long the end of a task waits for the digest of its image. */
const MAX_IMAGE_MS = 3000;
/** How long a server that was never reached is asked. */
const MAX_UNREACHED_MS = 120_000;

/** Why the side-car could not run the task. The runner reads both from the status of the container. */
export class SideCarFailed extends Error {
  readonly exitCode: number;
  constructor(exitCode: number, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

type Outcome = 'over' | 'parked';

export class SideCar {
  readonly #log: Log;
  readonly #path: string;
  readonly #closing = new AbortController();
  /** The lease of the last request to begin; null: none. */
  #lease: number | null = null;
  #control = new TaskControl();
  #stop: { force: boolean } | null = null;
  #isPodEnding = false;
  #image: NonNullable<TaskTools['image']> | null = null;
  readonly #imageReported = Promise.withResolvers<void>();
  #tools: TaskTools = { programs: [], requirements: [] };
  /** Reports the tools with the image; before the task is known it does nothing. */
  #reportTools: () => Promise<void> = () => Promise.resolve();
  #run: Promise<Outcome> = Promise.resolve('parked');

  constructor(log: Log, path: string) {
    this.#log = log;
    this.#path = path;
  }

  /** Settles when the task is over. Throws `SideCarFailed`. */
  async run(): Promise<void> {
    await giveSupervisor(podFolders.main, supervisorScript);
    try {
      await Promise.race([this.#follow(), this.#ended.promise]);
      await endMain(podFolders.main);
    } finally {
      this.#closing.abort();
    }
  }

  readonly #ended = Promise.withResolvers<void>();

  async #follow(): Promise<void> {
    for await (const request of readRequests(podFolders.requests, this.#closing.signal)) {
      await this.#take(request);
    }
  }

  async #take(request: SideCarRequest): Promise<void> {
    if (request.kind === 'stop') return this.#stopTask(request.force);
    if (request.kind === 'image') {
      const { name, digest } = request;
      this.#image = { name, digest };
      // The next report of tools has it too.
      await this.#reportTools().catch((error: unknown) => {
        this.#log.warn({ err: error }, 'reporting the image failed');
      });
      return this.#imageReported.resolve();
    }
    // The runner repeats a request whose success it does not know.
    if (request.lease === this.#lease) return;
    // The stop of an earlier lease.
    if (this.#lease !== null) this.#stop = null;
    this.#lease = request.lease;
    // A parked task may be confirmed before it is parked here.
    await this.#run;
    this.#run = this.#runToEnd(request);
    this.#run.then(
      (outcome) => {
        if (outcome === 'over') this.#ended.resolve();
      },
      (error: unknown) => this.#ended.reject(error),
    );
  }

  #stopTask(force: boolean): void {
    this.#stop = { force: force || (this.#stop?.force ?? false) };
    this.#control.stop('stopped', force);
  }

  /** The cluster ends the pod: programs are stopped, and the runner, which learns why, ends the task. */
  endPod(): void {
    this.#isPodEnding = true;
    this.#control.stop('pod', false);
    void this.#run.then(
      () => this.#ended.resolve(),
      () => this.#ended.resolve(),
    );
  }

  async #runToEnd(request: BeginRequest): Promise<Outcome> {
    if (request.version !== version) {
      throw new SideCarFailed(
        1,
        `its image has the version ${version}, and the runner ${request.version}`,
      );
    }
    const config = await configFor(request, this.#path);
    const callServer = createServerClient(
      { url: request.url, proxies: config.proxies },
      request.credential,
    );
    const clock = serverClock();
    const since = performance.now();
    let isReached = false;
    let outcome: Outcome = 'over';
    const api = this.#watch(callServer, (parked) => (outcome = parked));
    const held = { id: request.task_id, lease: request.lease };
    for (;;) {
      // Beside the task, which takes as long.
      const keys = api.openKeys(held);
      keys.catch(() => undefined);
      const runnerApi: RunnerApi = { ...api, openKeys: () => keys };
      try {
        const { task, time } = await callServer(runnerApiEndpoints.task, {
          params: { task_id: held.id },
          body: { lease: held.lease },
        });
        isReached = true;
        clock.set(time);
        this.#reportTools = () => runnerApi.recordTools(task, this.#tools);
        if (this.#image) void this.#reportTools().catch(() => undefined);
        this.#control = new TaskControl();
        if (this.#stop || task.status === 'stopping') {
          this.#control.stop('stopped', this.#stop?.force ?? false);
        }
        if (this.#isPodEnding) this.#control.stop('pod', false);
        const context: RunContext = { config, clock, log: this.#log, runnerApi };
        await runTask(context, task, this.#control);
        return outcome;
      } catch (error) {
        // The task has ended or was taken away, and its programs were stopped.
        if (error instanceof RefusedRequestError) return 'over';
        if (!isServerUnavailable(error)) throw error;
        if (!isReached && performance.now() - since > MAX_UNREACHED_MS) {
          throw new SideCarFailed(unreachedCode, (error as Error).message);
        }
        await delay(retryMs);
      }
    }
  }

  /** Kubelet reports the image of a container up to a second after its start, when a short program has ended. */
  async #untilImageReported(): Promise<void> {
    if (!isMainReady(podFolders.main)) return;
    await Promise.race([this.#imageReported.promise, delay(MAX_IMAGE_MS)]);
  }

  /** The runner's API for the one task. */
  #watch(callServer: CallServer, note: (outcome: Outcome) => void): RunnerApi {
    const pair = generateKeyPairSync('x25519');
    const jwk = (key: { export: (options: { format: 'jwk' }) => JsonWebKey }) =>
      key.export({ format: 'jwk' });
    const api = createHttpRunnerApi(
      callServer,
      jwk(pair.privateKey) as JWK,
      jwk(pair.publicKey) as PublicKey,
    );
    return {
      ...api,
      recordTools: (task, tools) => {
        this.#tools = tools;
        return api.recordTools(task, { ...tools, ...(this.#image && { image: this.#image }) });
      },
      async park(task, why) {
        const isParked = await api.park(task, why);
        if (isParked) note('parked');
        return isParked;
      },
      end: async (task, end) => {
        if (this.#isPodEnding) return false;
        await this.#untilImageReported();
        return api.end(task, end);
      },
    };
  }
}

/** Writes the certificates into files. */
async function configFor(request: BeginRequest, path: string) {
  // Programs in the main container need them too: git, where requirements are fetched.
  const write = async (name: string, text: string | null): Promise<string | null> => {
    if (text === null) return null;
    const file = join(podFolders.files, name);
    await writeFile(file, text, { mode: 0o644 });
    return file;
  };
  const serverCaFile = await write('server-ca.pem', request.server_ca);
  const gitCaFile = await write('git-ca.pem', request.git_ca);
  const config = sideCarConfig(request.config, { serverCaFile, gitCaFile, path });
  trustAuthority(config);
  await prepareDataDir(config);
  return config;
}
