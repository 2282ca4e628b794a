// The runner beside this server: a process of its own, so that starting programs and reading
// repositories never keeps people waiting. It speaks to the server as a runner elsewhere does, over
// a socket in the file system. The server starts it again when it ends; its tasks go on meanwhile.

import { generateKeyPairSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { JWK } from 'jose';
import type { PublicKey } from '#shared/api/runner-desk.ts';
import type { HealthState } from '#shared/api/system.ts';
import { runnerConfig } from '../../../runner/system/config.ts';
import type { Handoff } from '../../../runner/main.ts';
import { sealTo } from '../../../runner/system/seal.ts';
import type { Context } from '../../context/context.ts';
import type { RunnerActor } from '../../context/runner-actor.ts';
import { Looks } from '../looks.ts';
import { OwnSigns } from '../own-signs.ts';
import { launchRunner, type Launch, type RunnerProcess } from './launch.ts';

// Milliseconds: before it is started again, at most; and after which a silent one counts as failed.
const shortestPause = 200;
const longestPause = 10_000;
const silentAfter = 15_000;

// Bytes of the path of a socket that every system takes.
const longestSocketPath = 100;

export class OwnRunner {
  readonly looks: Looks;
  readonly signs = new OwnSigns();
  /** What is sealed for the runner opens with it. */
  readonly privateKey: JWK;
  readonly #ctx: Context;
  readonly #launch: Launch;
  readonly #credential = randomBytes(32).toString('base64url');
  readonly #publicKey: PublicKey;
  readonly #closing = new AbortController();
  #process: RunnerProcess | null = null;
  #keeping: Promise<void> = Promise.resolve();
  #server: Server | null = null;
  /** In the count of this process; null: it was not. */
  #started: number | null = null;
  #removeSocket: () => Promise<void> = () => Promise.resolve();

  constructor(ctx: Context, launch: Launch = launchRunner) {
    this.#ctx = ctx;
    this.#launch = launch;
    const pair = generateKeyPairSync('x25519');
    this.#publicKey = pair.publicKey.export({ format: 'jwk' }) as PublicKey;
    this.privateKey = pair.privateKey.export({ format: 'jwk' }) as JWK;
    this.looks = new Looks((id, key) => sealTo(this.#publicKey, { task: id, lease: 0 }, key));
  }

  /** The runner, if this is its credential. `id`: by which the database knows this server. */
  recognise(credential: string, id: number | null): RunnerActor | null {
    const [given, own] = [Buffer.from(credential), Buffer.from(this.#credential)];
    if (given.length !== own.length || !timingSafeEqual(given, own)) return null;
    const { serverName: name } = this.#ctx.config;
    return { id, name, publicKey: this.#publicKey, isOwn: true };
  }

  /** Whether it runs tasks; `off` also while it starts for the first time. */
  get health(): HealthState {
    if (this.#started === null) return 'off';
    if (this.#closing.signal.aborted) return 'failed';
    if (this.signs.silence < silentAfter) return 'ok';
    return performance.now() - this.#started < silentAfter ? 'off' : 'failed';
  }

  /** Starts its process, which takes over what an earlier one has left. */
  async start(http: FastifyInstance): Promise<void> {
    await http.ready();
    const socketPath = await this.#listen(http);
    const handoff: Handoff = {
      // Nobody resolves the name: the socket leads to us.
      server: { url: 'http://localhost', socketPath },
      credential: this.#credential,
      privateKey: this.privateKey,
      config: runnerConfig(this.#ctx.config),
    };
    this.#keeping = this.#keep(handoff);
    this.#started = performance.now();
  }

  async #listen(http: FastifyInstance): Promise<string> {
    const socketPath = await this.#socketPath();
    // Only what is for runners is served here.
    const server = createServer((request, response) => {
      if (request.url?.startsWith('/api/runner/')) http.routing(request, response);
      else response.writeHead(404).end();
    });
    server.requestTimeout = 0;
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(socketPath, resolve);
    });
    // Users of tasks may pass through the data folder.
    await chmod(socketPath, 0o600);
    return socketPath;
  }

  /** In the data folder, which others cannot enter; elsewhere where its path is too long. */
  async #socketPath(): Promise<string> {
    const inData = join(this.#ctx.config.dataDir, 'runner.sock');
    if (Buffer.byteLength(inData) <= longestSocketPath) {
      // A server that was killed leaves it.
      await rm(inData, { force: true });
      this.#removeSocket = () => rm(inData, { force: true });
      return inData;
    }
    const folder = await mkdtemp(join(tmpdir(), 'signalbox-'));
    this.#removeSocket = () => rm(folder, { recursive: true, force: true });
    return join(folder, 'runner.sock');
  }

  /** Starts the process, again and again when it ends, until the server stops. */
  async #keep(handoff: Handoff): Promise<void> {
    const { signal } = this.#closing;
    let pause = shortestPause;
    while (!signal.aborted) {
      const begun = performance.now();
      this.#process = this.#launch(handoff);
      const how = await this.#process.ended;
      this.#process = null;
      if (signal.aborted) return;
      this.#ctx.log.error({ how }, 'the runner has ended and is started again');
      pause = performance.now() - begun > longestPause ? shortestPause : pause * 2;
      await delay(Math.min(pause, longestPause), undefined, { signal }).catch(() => undefined);
    }
  }

  /** Ends the process; its tasks go on, and the next one follows them. */
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
