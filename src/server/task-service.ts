// Everything that brings tasks to runners, of one server: it gives waiting tasks away, keeps the
// runner beside it going, answers all runners, and notices those that are lost.

import type { JWK } from 'jose';
import type { FastifyInstance } from 'fastify';
import { isAlone, type Context } from './context/context.ts';
import type { Http } from './http/serve.ts';
import type { RunnerActor } from './context/runner-actor.ts';
import { Dispatch } from './runner-desk/dispatch.ts';
import type { Looks } from './runner-desk/looks.ts';
import { LossWatch, type Limits as LossLimits } from './runner-desk/loss-watch.ts';
import { Membership } from './runner-desk/membership.ts';
import type { OwnSigns } from './runner-desk/own-signs.ts';
import { runnerDeskRoutes } from './runner-desk/runner-desk.routes.ts';
import { Chores } from './administration/system/chores.ts';
import type { RunnerHealth } from './administration/system/health.ts';
import type { Launch } from './runner-desk/own-runner/launch.ts';
import { OwnRunner } from './runner-desk/own-runner/own-runner.ts';

export interface TaskServiceParts {
  /** For tests of runners that are lost. */
  lossLimits?: Partial<LossLimits>;
  /** How the runner beside the server is started; absent: as a process of its own. */
  launchRunner?: Launch;
}

export class TaskService {
  readonly #ctx: Context;
  readonly #own: OwnRunner;
  /** Null: no other server can share the database. */
  readonly #membership: Membership | null;
  readonly #dispatch: Dispatch;
  readonly #chores: Chores;
  readonly #watch: LossWatch;
  #http: FastifyInstance | null = null;
  #closeDesk: () => void = () => undefined;

  constructor(ctx: Context, { lossLimits, launchRunner }: TaskServiceParts) {
    this.#ctx = ctx;
    this.#own = new OwnRunner(ctx, launchRunner);
    this.#membership = isAlone(ctx) ? null : new Membership(ctx);
    this.#dispatch = new Dispatch(ctx);
    this.#chores = new Chores(ctx);
    this.#watch = new LossWatch(ctx, lossLimits);
  }

  get looks(): Looks {
    return this.#own.looks;
  }

  get signs(): OwnSigns {
    return this.#own.signs;
  }

  /** What is sealed for the runner beside the server opens with it. */
  get privateKey(): JWK {
    return this.#own.privateKey;
  }

  get health(): RunnerHealth {
    return { runner: this.#own.health, queue: this.#dispatch.hasFailed ? 'failed' : 'ok' };
  }

  /** The runner beside this server, if this is its credential. */
  recognise(credential: string): RunnerActor | null {
    return this.#own.recognise(credential, this.#membership?.id ?? null);
  }

  /** Mounts what runners ask for. */
  mount(http: FastifyInstance, door: Http): void {
    this.#http = http;
    const { close } = runnerDeskRoutes(door, this.#ctx, {
      looks: this.looks,
      signs: this.signs,
      onEnd: (templateId) => this.#chores.afterTask(templateId),
    });
    this.#closeDesk = close;
  }

  async start(): Promise<void> {
    if (!this.#http) throw new Error('Nothing is mounted yet.');
    await this.#membership?.start();
    this.#dispatch.start();
    await this.#own.start(this.#http);
    this.#chores.start();
    this.#watch.start();
  }

  /** Tasks go on, and the next server follows them. */
  async close(): Promise<void> {
    await this.#dispatch.close();
    await this.#watch.close();
    await this.#own.close();
    this.#closeDesk();
    await this.#chores.close();
    await this.#membership?.close();
  }
}
