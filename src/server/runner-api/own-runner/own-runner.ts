// Supervises the runner beside this server: a separate process, so that starting programs and reading
// repositories never delays requests of people. It calls the runner API like a remote runner, over a
// Unix socket. The server restarts it when it ends; its tasks go on meanwhile.

import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { JWK } from 'jose';
import type { PublicKey } from '#shared/api/runner-api.ts';
import type { HealthState } from '#shared/api/system.ts';
import { runnerConfig } from '../../../runner/config/runner-config.ts';
import type { Handoff } from '../../../runner/main.ts';
import { sealTo } from '../../../node/crypto/seal.ts';
import type { Context } from '../../context/context.ts';
import type { RunnerActor } from '../../context/runner-actor.ts';
import { safeEqual } from '../../lib/digest.ts';
import { InspectionQueue } from '../inspection-queue.ts';
import { OwnRunnerHeartbeats } from '../heartbeats.ts';
import { launchRunner, type Launch, type RunnerProcess } from './launch.ts';

// The pause before the next start grows between these two.
const MIN_PAUSE_MS = 200;
const MAX_PAUSE_MS = 10_000;
// A runner that is silent for longer counts as failed.
const MAX_SILENCE_MS = 30_000;

// Every system accepts a socket path of this length.
const MAX_SOCKET_PATH_BYTES = 100;

export class OwnRunner {
  readonly inspections: InspectionQueue;
  readonly signs = new OwnRunnerHeartbeats();
  readonly privateKey: JWK;
  readonly #ctx: Context;
  readonly #launch: Launch;
  readonly #credential = randomBytes(32).toString('base64url');
  readonly #publicKey: PublicKey;
  readonly #closing = new AbortController();
  #process: RunnerProcess | null = null;
  #keeping: Promise<void> = Promise.resolve();
  #server: Server | null = null;
  /** When it was started, in the time of `performance.now`; null: it was not. */
  #started: number | null = null;
  #removeSocket: () => Promise<void> = () => Promise.resolve();

  constructor(ctx: Context, launch: Launch = launchRunner) {
    this.#ctx = ctx;
    this.#launch = launch;
    const pair = generateKeyPairSync('x25519');
    this.#publicKey = pair.publicKey.export({ format: 'jwk' }) as PublicKey;
    this.privateKey = pair.privateKey.export({ format: 'jwk' }) as JWK;
    this.inspections = new InspectionQueue((id, keys) =>
      sealTo(this.#publicKey, { task: id, lease: 0 }, keys),
    );
  }

  /** The runner as an actor, or null for another credential. `id` is the id of this server's row. */
  recognise(credential: string, id: number | null): RunnerActor | null {
    if (!safeEqual(credential, this.#credential)) return null;
    const { serverName: name } = this.#ctx.config;
    return { id, name, publicKey: this.#publicKey, isOwn: true };
  }

  /** Whether the runner runs tasks; `off` also during its first start. */
  get health(): HealthState {
    if (this.#started === null) return 'off';
    if (this.#closing.signal.aborted) return 'failed';
    if (this.signs.msSinceLast < MAX_SILENCE_MS) return 'ok';
    return performance.now() - this.#started < MAX_SILENCE_MS ? 'off' : 'failed';
  }

  /** Starts the process, which takes over the tasks that an earlier one has left. */
  async start(http: FastifyInstance): Promise<void> {
    await http.ready();
    const socketPath = await this.#listen(http);
    const handoff: Handoff = {
      // The name is not resolved, because requests go through the socket.
      server: { url: 'http://localhost', socketPath },
      credential: this.#credential,
      privateKey: this.privateKey,
      claim: { installation: this.#ctx.installation },
      config: runnerConfig(this.#ctx.config),
    };
    this.#keeping = this.#keep(handoff);
    this.#started = performance.now();
  }

  async #listen(http: FastifyInstance): Promise<string> {
    const socketPath = await this.#socketPath();
    // The socket serves only the endpoints of runners.
    const server = createServer((request, response) => {
      if (request.url?.startsWith('/api/runner/')) http.routing(request, response);
      else response.writeHead(404).end();
    });
    server.requestTimeout = 0;
    // No idle timeout: the only client may be about to reuse its connection.
    server.keepAliveTimeout = 0;
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(socketPath, resolve);
    });
    // Users of tasks may pass through the data folder, so the socket is closed to them.
    await chmod(socketPath, 0o600);
    return socketPath;
  }

  /** The path of the socket: in the data folder, or in a temporary folder if that path would be too long. */
  async #socketPath(): Promise<string> {
    const inData = join(this.#ctx.config.dataDir, 'runner.sock');
    if (Buffer.byteLength(inData) <= MAX_SOCKET_PATH_BYTES) {
      // A server that was killed has left its socket.
      await rm(inData, { force: true });
      this.#removeSocket = () => rm(inData, { force: true });
      return inData;
    }
    const folder = await mkdtemp(join(tmpdir(), 'signalbox-'));
    this.#removeSocket = () => rm(folder, { recursive: true, force: true });
    return join(folder, 'runner.sock');
  }

  /** Starts the process, and restarts it until the server stops. */
  async #keep(handoff: Handoff): Promise<void> {
    const { signal } = this.#closing;
    let pause = MIN_PAUSE_MS;
    while (!signal.aborted) {
      const begun = performance.now();
      this.#process = this.#launch(handoff);
      const how = await this.#process.ended;
      this.#process = null;
      if (signal.aborted) return;
      this.#ctx.log.error({ how }, 'runner process exited; restarting');
      pause = performance.now() - begun > MAX_PAUSE_MS ? MIN_PAUSE_MS : pause * 2;
      await delay(Math.min(pause, MAX_PAUSE_MS), undefined, { signal }).catch(() => undefined);
    }
  }

  /** Ends the process. Its tasks go on, and the next process follows them. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#process?.end();
    await this.#keeping;
    const server = this.#server;
    if (!server) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await this.#removeSocket();
  }
}
