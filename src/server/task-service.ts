// Connects the parts of a server that bring tasks to runners: it assigns waiting tasks, keeps the
// runner beside the server running, returns all runners, notices lost ones, and does what follows from
// the ends of tasks.

import type { JWK } from 'jose';
import type { FastifyInstance } from 'fastify';
import type { Runner } from '#shared/api/runners.ts';
import { isAlone, type Context } from './context/context.ts';
import type { Http } from './http/serve.ts';
import type { RunnerActor } from './context/runner-actor.ts';
import { createFollowUpLoop } from './automation/tasks/ends/follow-ups.ts';
import type { BackgroundLoop } from './context/background-loop.ts';
import { connectTaskEnds } from './automation/workflows/connect-task-ends.ts';
import { createDispatch } from './runner-api/dispatch.ts';
import type { InspectionQueue } from './runner-api/inspection-queue.ts';
import { LossWatch } from './runner-api/loss-watch.ts';
import { Membership } from './runner-api/membership.ts';
import {
  type OwnRunnerHeartbeats,
  type RunnerKnown,
  KnownTraits,
} from './runner-api/heartbeats.ts';
import { runnerApiRoutes } from './runner-api/runner-api.routes.ts';
import { StateInspections } from './runner-api/state-inspections.ts';
import { MaintenanceJobs } from './administration/maintenance/maintenance-jobs.ts';
import type { RunnerHealth } from './administration/health/health.ts';
import type { Launch } from './runner-api/own-runner/launch.ts';
import { OwnRunner } from './runner-api/own-runner/own-runner.ts';

export interface TaskServiceParts {
  /** How the runner beside the server is started; by default as a separate process. */
  launchRunner?: Launch;
}

export class TaskService {
  readonly #ctx: Context;
  readonly #own: OwnRunner;
  /** Null if no other server can share the database. */
  readonly #membership: Membership | null;
  readonly #dispatch: BackgroundLoop;
  readonly #maintenance: MaintenanceJobs;
  readonly #watch: LossWatch;
  readonly #followUps: BackgroundLoop;
  readonly #traits = new KnownTraits();
  readonly stateInspections: StateInspections;
  #http: FastifyInstance | null = null;
  #closeRunnerApi: () => void = () => undefined;

  constructor(ctx: Context, { launchRunner }: TaskServiceParts) {
    connectTaskEnds(ctx);
    this.#ctx = ctx;
    this.#own = new OwnRunner(ctx, launchRunner);
    this.stateInspections = new StateInspections(ctx.hub);
    this.#dispatch = createDispatch(ctx);
    this.#maintenance = new MaintenanceJobs(ctx);
    this.#watch = new LossWatch(ctx);
    this.#followUps = createFollowUpLoop(ctx);
    this.#membership = isAlone(ctx) ? null : new Membership(ctx, () => this.#watch.renew());
  }

  get inspections(): InspectionQueue {
    return this.#own.inspections;
  }

  get signs(): OwnRunnerHeartbeats {
    return this.#own.signs;
  }

  /** The key that opens what is sealed for the runner beside the server. */
  get privateKey(): JWK {
    return this.#own.privateKey;
  }

  get health(): RunnerHealth {
    return {
      runner: this.#own.health,
      queue: this.#dispatch.hasFailed ? 'failed' : 'ok',
      ansibleVersion: this.signs.ansibleVersion,
    };
  }

  /** The background work that brings tasks to runners. */
  get loops(): BackgroundLoop[] {
    return [this.#dispatch, this.#followUps, this.#watch.loop, this.#maintenance.loop];
  }

  /** What a runner said of itself; null if this server does not know. */
  traitsOf(runner: Pick<Runner, 'id' | 'remote'>): RunnerKnown | null {
    return this.#traits.of(runner, this.#membership?.id ?? null);
  }

  /** The runner beside this server, if this is its credential; null otherwise. */
  recognise(credential: string): RunnerActor | null {
    return this.#own.recognise(credential, this.#membership?.id ?? null);
  }

  /** Mounts the endpoints of runners. */
  mount(http: FastifyInstance, endpoints: Http): void {
    this.#http = http;
    const { close } = runnerApiRoutes(endpoints, this.#ctx, {
      inspections: this.inspections,
      stateInspections: this.stateInspections,
      signs: this.signs,
      traits: this.#traits,
      onEnd: (templateId) => this.#maintenance.afterTask(templateId),
      onMissed: () => this.#watch.renew(),
    });
    this.#closeRunnerApi = close;
  }

  async start(): Promise<void> {
    if (!this.#http) throw new Error('Nothing is mounted yet.');
    await this.#membership?.start();
    this.#dispatch.start();
    await this.#own.start(this.#http);
    this.#maintenance.loop.start();
    this.#watch.loop.start();
    this.#followUps.start();
  }

  /** Tasks go on, and the next server follows them. */
  async close(): Promise<void> {
    await this.#dispatch.close();
    await this.#watch.loop.close();
    await this.#followUps.close();
    await this.#own.close();
    this.#closeRunnerApi();
    this.stateInspections.close();
    await this.#maintenance.loop.close();
    await this.#membership?.close();
  }
}
