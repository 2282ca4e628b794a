import { runnerApiEndpoints } from '#shared/api/runner-api.ts';
import type { Context } from '../context/context.ts';
import type { Http, Input } from '../http/serve.ts';
import {
  delegate,
  requireAnyLease,
  requireWholeTask,
  sealSecrets,
  storeLines,
  taskLeaseOf,
} from './held-tasks.ts';
import { AppError } from '../lib/errors.ts';
import { longPoll, trackForceStops } from './long-poll.ts';
import {
  type OwnRunnerHeartbeats,
  recordHeartbeat,
  recordOwnTraits,
  type KnownTraits,
} from './heartbeats.ts';
import { processReports } from './reports.ts';
import { filterExistingFor } from './filter-existing.ts';
import type { InspectionQueue } from './inspection-queue.ts';
import type { StateInspections } from './state-inspections.ts';

interface TaskRequest extends Pick<Input<typeof runnerApiEndpoints.log>, 'ctx' | 'runner'> {
  params: { task_id: number };
}

export interface RunnerApiOptions {
  inspections: InspectionQueue;
  stateInspections: StateInspections;
  /** The heartbeats of the runner beside this server. */
  signs: OwnRunnerHeartbeats;
  traits: KnownTraits;
  /** Called when a task of this template has ended. */
  onEnd: (templateId: number) => void;
  /** Called when the heartbeat of a remote runner cannot be stored. */
  onMissed: () => void;
}

/** Serves the endpoints of runners; `close` ends all open long polls. */
export function runnerApiRoutes(
  http: Http,
  { hub }: Pick<Context, 'hub'>,
  { inspections, stateInspections, signs, traits, onEnd, onMissed }: RunnerApiOptions,
): { close: () => void } {
  const calls = trackForceStops(hub);
  const closing = new AbortController();
  let changes = 1;
  const missed = (error: unknown): never => {
    if (!(error instanceof AppError)) onMissed();
    throw error;
  };
  const end = hub.subscribe('resource.changed', ({ noun }) => {
    if (noun === 'repositories' || noun === 'projects') changes += 1;
  });
  http.serve(runnerApiEndpoints.poll, async ({ ctx, runner, body, gone }) => {
    const { held, looking, knows_states: knowsStates, wait, ...heartbeat } = body;
    if (runner.isOwn) {
      signs.record({ ...heartbeat, taskIds: held.map(({ task_id: id }) => id) });
      await recordOwnTraits(ctx, runner.id, heartbeat.traits);
    } else await recordHeartbeat(ctx, runner.id ?? 0, heartbeat).catch(missed);
    const { ansible_version: ansible } = heartbeat;
    traits.note(runner.isOwn ? null : (runner.id ?? 0), ansible, heartbeat.traits);
    const sources = { calls, inspections, stateInspections, changes: () => changes };
    const left = AbortSignal.any([gone, closing.signal]);
    return longPoll(ctx, sources, { runner, held, looking, knowsStates, wait, gone: left });
  });
  http.serve(runnerApiEndpoints.filterExisting, ({ ctx, runner, body }) =>
    filterExistingFor(ctx, runner, body),
  );
  http.serve(runnerApiEndpoints.reportInspection, ({ runner, params, body }) => {
    if (runner.isOwn) inspections.settle(params.look_id, body.seen);
    stateInspections.answer(runner.id, params.look_id, body.seen);
  });
  serveTasks(http, onEnd);
  return {
    close() {
      end();
      closing.abort();
      calls.close();
    },
  };
}

/** What the runner that holds a task requests and reports of it, or the process that it gave a credential. */
function serveTasks(http: Http, onEnd: RunnerApiOptions['onEnd']): void {
  http.serve(runnerApiEndpoints.delegate, async ({ ctx, runner, params, body }) => ({
    credential: await delegate(ctx, taskLeaseOf({ runner, params }, body.lease)),
  }));
  http.serve(runnerApiEndpoints.task, async ({ ctx, runner, params, body }) => {
    const task = await requireWholeTask(ctx, taskLeaseOf({ runner, params }, body.lease));
    return { task, time: ctx.clock.now().toISOString() };
  });
  http.serve(runnerApiEndpoints.secrets, async ({ ctx, runner, params, body }) => ({
    sealed: await sealSecrets(ctx, taskLeaseOf({ runner, params }, body.lease), body.public_key),
  }));
  const isHolder = ({ ctx, runner, params }: TaskRequest): Promise<void> =>
    requireAnyLease(ctx, { runner, taskId: params.task_id });
  const report = ({ ctx, runner, params, body }: Input<typeof runnerApiEndpoints.report>) => {
    const { lease, ...reports } = body;
    return processReports(ctx, taskLeaseOf({ runner, params }, lease), reports, onEnd);
  };
  http.serve(runnerApiEndpoints.report, report, isHolder);
  const log = async ({ ctx, runner, params, body }: Input<typeof runnerApiEndpoints.log>) => {
    const { lease, ...sent } = body;
    return { total: await storeLines(ctx, taskLeaseOf({ runner, params }, lease), sent) };
  };
  http.serve(runnerApiEndpoints.log, log, isHolder);
}
