// The composition root: mounts the routes of every feature and connects the parts.

import type { Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { accountRoutes } from './people/accounts/accounts.routes.ts';
import { alertChannelRoutes } from './alerts/alert-channels/alert-channels.routes.ts';
import { alertDeliveryRoutes } from './alerts/alert-deliveries/alert-deliveries.routes.ts';
import { Sender, type SenderLimits } from './alerts/alert-deliveries/sender.ts';
import { appRoutes } from './automation/apps/apps.routes.ts';
import type { BackgroundLoop } from './context/background-loop.ts';
import { backupRoutes } from './backups/backups.routes.ts';
import type { Context } from './context/context.ts';
import { createDemo } from './demo/demo.ts';
import { environmentRoutes } from './resources/environments/environments.routes.ts';
import { executionEnvironmentRoutes } from './resources/execution-environments/execution-environments.routes.ts';
import { fail } from './lib/errors.ts';
import { eventRoutes } from './events/events.routes.ts';
import { hostConfigRoutes } from './resources/host-configs/host-configs.routes.ts';
import { hostKeyRoutes } from './resources/host-keys/host-keys.routes.ts';
import { hostRoutes } from './resources/hosts/hosts.routes.ts';
import type { Caller } from './context/actor.ts';
import { type Gate, toActor, credentialsOf, type Credentials } from './http/actor.ts';
import { sharedLimits } from './http/call-limits.ts';
import { refusePlainRequests, serveLive, type LiveServer } from './http/live.ts';
import type { LiveSources } from './http/live-client.ts';
import { openApiDocument } from './http/openapi/openapi.ts';
import { createHttp, type Http } from './http/serve.ts';
import { openRequests } from './http/access-log.ts';
import { mountProbes } from './http/probes.ts';
import { createServer } from './http/server.ts';
import { identityRoutes } from './people/identity/identity.routes.ts';
import { integrationRoutes } from './automation/integrations/integrations.routes.ts';
import { webhookRoutes } from './automation/integrations/webhooks.routes.ts';
import { inventoryRoutes } from './resources/inventories/inventories.routes.ts';
import { keptStateRoutes } from './automation/kept-states/kept-states.routes.ts';
import { keyRoutes } from './resources/keys/keys.routes.ts';
import { createBroadcast } from './live/broadcast.ts';
import { createFeeds } from './live/feeds.ts';
import { createPartials } from './live/partials.ts';
import { shareReads } from './live/shared-reads.ts';
import { endWaitingOf } from './automation/tasks/admission/launch-rights.ts';
import { grantRoutes } from './people/grants/grants.routes.ts';
import { memberRoutes } from './people/members/members.routes.ts';
import { roleRoutes } from './people/roles/roles.routes.ts';
import { listVisible } from './people/members/members.ts';
import { openProjectGate } from './people/members/project-gate.ts';
import type { ContextParts } from './open-context.ts';
import { optionRoutes } from './administration/options/options.routes.ts';
import { projectRoutes } from './projects/projects.routes.ts';
import { repositoryRoutes } from './resources/repositories/repositories.routes.ts';
import { TaskService, type TaskServiceParts } from './task-service.ts';
import {
  checkKey,
  findHead,
  listCommits,
  repositoryInspections,
  makeDemoRepository,
  previewInventory,
} from './runner-api/user-inspections.ts';
import { revokeTasks } from './runner-api/loss-watch.ts';
import { findRemote } from './runners/remote-runners.ts';
import { listKinds } from './runners/runner-capacity.ts';
import { runnerRoutes } from './runners/runners.routes.ts';
import type { RunnerActor } from './context/runner-actor.ts';
import { scheduleRoutes } from './automation/schedules/schedules.routes.ts';
import { Scheduler } from './automation/schedules/scheduler.ts';
import { secondFactorRoutes } from './people/second-factor/second-factor.routes.ts';
import { tokenOfHeader } from './people/session/cookies.ts';
import { sessionRoutes } from './people/session/session.routes.ts';
import { findPendingMfaSession } from './people/session/pending-mfa-sessions.ts';
import { findActor } from './people/session/session.ts';
import { signInRoutes } from './people/sign-in/sign-in.routes.ts';
import { statsRoutes } from './stats/stats.routes.ts';
import {
  BackupSchedule,
  getBackups,
  type RunBackup,
} from './administration/installation-backup/backup-schedule.ts';
import { HealthWatch } from './administration/health/health.ts';
import { watchProxies } from './administration/health/proxy-watch.ts';
import { systemRoutes } from './administration/health/system.routes.ts';
import { openTelemetry } from './lib/telemetry/open-telemetry.ts';
import { openMetrics } from './open-metrics.ts';
import { lazy } from '../node/async/state-of.ts';
import { version } from '../node/process/version.ts';
import { tasksOfTemplates } from './automation/tasks/lists/task-list.ts';
import { activeTaskRoutes, taskRoutes } from './automation/tasks/tasks.routes.ts';
import { openLiveSource } from './automation/tasks/live-source.ts';
import { templateRoutes } from './automation/templates/templates.routes.ts';
import { tokenRoutes } from './people/tokens/tokens.routes.ts';
import { findTokenActor } from './people/tokens/tokens.ts';
import { overviewRoutes } from './automation/overview/overview.routes.ts';
import { createRunLoop } from './automation/workflows/run-watch.ts';
import { workflowRoutes } from './automation/workflows/workflows.routes.ts';
import { viewRoutes } from './automation/views/views.routes.ts';

export interface Parts extends ContextParts, TaskServiceParts {
  /** The folder of the built console; null if only the API is served. */
  webDir?: string | null;
  /** Other limits, for tests of slow clients. */
  liveLimits?: LiveSources['limits'];
  /** Other limits, for tests of receivers that do not answer. */
  alertLimits?: SenderLimits;
  /** How a scheduled backup is made; by default by a process of its own. */
  runBackup?: RunBackup;
}

// At most 4 MiB may wait for a client, for at most ten seconds.
const liveLimits = { waiting: 4 * 1024 * 1024, readMs: 10_000 };

export interface App {
  http: FastifyInstance;
  /** The server of the metrics where they have a port of their own; null otherwise. */
  metricsServer: Server | null;
  runner: TaskService;
  scheduler: Scheduler;
  runLoop: BackgroundLoop;
  /** Starts what the role of this server does. */
  start: () => Promise<void>;
  /** Tells probes that the server shuts down soon; it works on until it is closed. */
  drain: () => void;
  close: () => Promise<void>;
}

export async function createApp(given: Context, parts: Parts): Promise<App> {
  const opened = await openTelemetry(given.config, given.log);
  const ctx = { ...given, telemetry: opened.telemetry };
  const servesPeople = ctx.config.role !== 'runner';
  const runner = new TaskService(ctx, parts);
  const gate = createGate(ctx, servesPeople, (text) => runner.recognise(text));
  const webDir = servesPeople ? (parts.webDir ?? null) : null;
  const http = await createServer(ctx.config, ctx.log, webDir, sharedLimits(ctx));
  const scheduler = new Scheduler(ctx, findHead(runner.inspections));
  const runLoop = createRunLoop(ctx);
  const sender = new Sender(ctx, parts.alertLimits);
  const endpoints = createHttp(http, ctx, gate);
  const requests = openRequests(http);
  const backups = new BackupSchedule(ctx, parts.runBackup);
  const health = new HealthWatch(ctx, {
    backups: () => backups.state(),
    runnerHealth: () => runner.health,
    underWay: () => ({ requests: requests(), tasks: runner.signs.taskIds }),
    isProxyUntrusted: watchProxies(http, ctx.config),
  });
  systemRoutes(endpoints, {
    // No start needs the document.
    document: lazy(() => openApiDocument(version)),
    ansibleVersion: () => runner.signs.ansibleVersion,
    scheduleZone: ctx.config.zone.name,
    health,
    figures: {
      traitsOf: (one) => runner.traitsOf(one),
      backups: getBackups,
      loops: [...runner.loops, runLoop, scheduler.loop, sender.loop, backups.loop],
    },
  });
  mountProbes(http, () => health.reasons());
  if (servesPeople) mountRoutes(endpoints, runner);
  runner.mount(http, endpoints);
  if (servesPeople) sender.loop.start();
  const live = servesPeople ? mountLive(ctx, gate, http, parts.liveLimits ?? liveLimits) : null;
  const sources = { look: () => health.look(), countConnections: () => live?.count() ?? 0 };
  return {
    http,
    metricsServer: openMetrics(ctx, http, opened, sources),
    runner,
    scheduler,
    runLoop,
    async start() {
      await health.start();
      await backups.start();
      await runner.start();
      if (!servesPeople) return;
      await scheduler.start();
      runLoop.start();
    },
    drain: () => health.drain(),
    async close() {
      health.close();
      for (const part of [backups.loop, scheduler, runLoop, runner, sender, live, http]) {
        await part?.close();
      }
    },
  };
}

function mountRoutes(endpoints: Http, runner: TaskService): void {
  const { inspections, stateInspections } = runner;
  signInRoutes(endpoints);
  sessionRoutes(endpoints);
  secondFactorRoutes(endpoints);
  accountRoutes(endpoints, endWaitingOf);
  tokenRoutes(endpoints);
  projectRoutes(endpoints, (inner, userId, input) =>
    createDemo(inner, (name) => makeDemoRepository(inspections, name), userId, input),
  );
  memberRoutes(endpoints);
  roleRoutes(endpoints);
  grantRoutes(endpoints);
  appRoutes(endpoints);
  keyRoutes(endpoints, (...key) => checkKey(runner, ...key));
  hostKeyRoutes(endpoints);
  hostConfigRoutes(endpoints);
  hostRoutes(endpoints);
  repositoryRoutes(endpoints, repositoryInspections(inspections));
  inventoryRoutes(endpoints, (ctx, text) => previewInventory(ctx, inspections, text));
  environmentRoutes(endpoints);
  executionEnvironmentRoutes(endpoints, listKinds);
  viewRoutes(endpoints);
  templateRoutes(endpoints, tasksOfTemplates);
  keptStateRoutes(endpoints, stateInspections, tasksOfTemplates.listUnfinished);
  workflowRoutes(endpoints);
  taskRoutes(endpoints, listCommits(inspections));
  activeTaskRoutes(endpoints);
  statsRoutes(endpoints);
  overviewRoutes(endpoints);
  integrationRoutes(endpoints);
  webhookRoutes(endpoints);
  scheduleRoutes(endpoints);
  eventRoutes(endpoints);
  alertChannelRoutes(endpoints);
  alertDeliveryRoutes(endpoints);
  optionRoutes(endpoints);
  runnerRoutes(endpoints, revokeTasks);
  backupRoutes(endpoints);
  identityRoutes(endpoints);
}

function createGate(
  ctx: Context,
  /** Whether runners on other machines send requests to this server too. */
  servesRemote: boolean,
  recogniseOwn: (credential: string) => RunnerActor | null,
): Gate {
  return {
    async authenticate(request, duringSetup) {
      const credentials = credentialsOf(request.headers, tokenOfHeader);
      const actor = credentials && (await findCaller(ctx, credentials, duringSetup));
      return actor && toActor(ctx.config, actor);
    },
    async authenticateRunner({ headers }) {
      const credentials = credentialsOf(headers, tokenOfHeader);
      if (credentials?.kind !== 'token') return null;
      const own = recogniseOwn(credentials.text);
      if (own || !servesRemote) return own;
      return findRemote(ctx, credentials.text);
    },
    ...openProjectGate(ctx.db),
  };
}

/**
 * Finds the sender of these credentials, by a session or a token. Every use of a session calls this
 * function, so nothing is open without a required second factor unless it says so.
 */
async function findCaller(
  ctx: Context,
  { kind, text }: Credentials,
  duringSetup = false,
): Promise<Caller | null> {
  if (kind === 'token') {
    const actor = await findTokenActor(ctx, text);
    const noSession = { sessionId: null, signedIn: null };
    const none = { ...noSession, byPassword: false, mustSetUpSecondFactor: false };
    return actor && { ...actor, ...none };
  }
  const actor = await findActor(ctx, text);
  if (!actor && (await findPendingMfaSession(ctx, text)))
    throw fail('session.verification_required');
  if (actor?.mustSetUpSecondFactor && !duringSetup) throw fail('session.second_factor_setup');
  return actor && { ...actor, token: null };
}

function mountLive(
  ctx: Context,
  gate: Gate,
  http: FastifyInstance,
  limits: LiveSources['limits'],
): LiveServer {
  const source = openLiveSource(ctx);
  const broadcast = createBroadcast(ctx.hub, { task: source.task, lines: source.read });
  const feeds = createFeeds(ctx.hub, source.task);
  const partials = createPartials(ctx.hub);
  const logs = shareReads(ctx.hub, (taskId) => ({
    read: (from, limit) => source.read(taskId, from, limit),
    progress: () => source.progress(taskId),
  }));
  refusePlainRequests(http);
  const live = serveLive(http.server, {
    config: ctx.config,
    credentialsOf: ({ headers }) => credentialsOf(headers, tokenOfHeader),
    sources: {
      hub: ctx.hub,
      log: ctx.log,
      broadcast,
      feeds,
      partials,
      clock: ctx.clock,
      authenticate: (credentials) => findCaller(ctx, credentials),
      roleIn: gate.roleIn,
      objectsOf: gate.objectsOf,
      projectsOf: (actor) => listVisible(ctx.db, actor),
      taskInScope: source.taskInScope,
      templateOf: source.templateOf,
      logOf: logs.logOf,
      limits,
    },
  });
  return {
    count: () => live.count(),
    async close() {
      broadcast.close();
      feeds.close();
      partials.close();
      logs.close();
      await live.close();
    },
  };
}
