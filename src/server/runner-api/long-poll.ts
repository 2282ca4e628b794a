// Long polling of runners for new tasks, tasks to stop, and inspections.

import {
  LONG_POLL_MAX_SECONDS,
  type HeldLease,
  type PollResponse,
  type RunnerTask,
} from '#shared/api/runner-api.ts';
import { Signal } from '../../node/async/signal.ts';
import type { Context } from '../context/context.ts';
import type { RunnerActor } from '../context/runner-actor.ts';
import { isParked, listHeld, listTaken } from '../automation/tasks/runs/runner-tasks.ts';
import { listLeasesOf } from '../automation/tasks/runs/run.store.ts';
import { cleaningOf } from '../runners/administration.ts';
import { yieldToEventLoop } from '../lib/fair-queue.ts';
import { withSecrets } from './held-tasks.ts';
import type { InspectionQueue } from './inspection-queue.ts';
import type { StateInspections } from './state-inspections.ts';
import type { Hub } from '../live/hub.ts';

/** Tasks that begin get their secrets with the response; beyond this number the runner requests them. */
const MAX_TASKS_WITH_SECRETS = 10;

export interface PollRequest {
  runner: Pick<RunnerActor, 'id' | 'isOwn' | 'publicKey'>;
  held: HeldLease[];
  /** The ids of the inspections that the runner has begun. */
  looking: number[];
  /** Whether the runner knows inspections of states. */
  knowsStates: boolean;
  /** How many seconds the response may be delayed. */
  wait: number;
  /** Fires when the client has disconnected. */
  gone: AbortSignal;
}

/** The sources of a response besides the database. */
export interface PollSources {
  calls: ForceStops;
  /** The inspections for the runner beside this server. */
  inspections: InspectionQueue;
  stateInspections: StateInspections;
  /** How often repositories and projects have changed. */
  changes: () => number;
}

export async function longPoll(
  ctx: Context,
  sources: PollSources,
  request: PollRequest,
): Promise<PollResponse> {
  const { gone } = request;
  const end = Date.now() + Math.min(request.wait, LONG_POLL_MAX_SECONDS) * 1000;
  // Subscribed before the first read, so that no hub event between a read and the wait is lost.
  const calls = subscribeToChanges(ctx, sources, request);
  try {
    const first = await readPollResponse(ctx, sources, request);
    for (let response = first; ; response = await readPollResponse(ctx, sources, request)) {
      const left = end - Date.now();
      const isCleaning = response.cleaning_requested !== first.cleaning_requested;
      const isUrgent = isCleaning || calls.isUrgent() || hasInstructions(response, request);
      if (isUrgent || left <= 0 || gone.aborted) return response;
      const isNotified = await calls.wake.wait(left);
      // One hub event may wake thousands of runners, which may also disconnect together.
      if (isNotified) await yieldToEventLoop();
      // Nothing has happened: the runner polls again at once, and then everything is read again.
      if (!isNotified || gone.aborted) return { ...response, time: timeNow(ctx) };
    }
  } finally {
    calls.close();
  }
}

function hasInstructions(
  { tasks, stops, taken, looks: inspections }: PollResponse,
  { held }: PollRequest,
): boolean {
  // The runner already removes the remains of these.
  const isStopping = (id: number): boolean =>
    held.some((one) => one.task_id === id && one.stop === 'forced');
  return tasks.length + stops.length + inspections.length > 0 || !taken.every(isStopping);
}

async function readPollResponse(
  ctx: Context,
  { calls, inspections, stateInspections, changes }: PollSources,
  { runner, held, looking, knowsStates }: PollRequest,
): Promise<PollResponse> {
  const leases = held.map(({ task_id: id, lease }) => ({ id, lease }));
  const ids = leases.map(({ id }) => id);
  const [all, gone, cleaning] = await Promise.all([
    listLeasesOf(ctx.db, runner.id),
    listTaken(ctx, leases),
    cleaningOf(ctx, runner.id),
  ]);
  const known = all.filter((task) => !isParked(task));
  const hasMore = known.some(({ id }) => !ids.includes(id));
  const statusOf = ({ task_id: id, lease }: HeldLease) =>
    known.find((task) => task.id === id && task.lease === lease)?.status;
  const ended = held.filter((note) => !statusOf(note)).map(({ task_id: id }) => id);
  return {
    tasks: hasMore ? await listNewTasks(ctx, runner, ids) : [],
    stops: held.flatMap((note) => {
      const isStopping = statusOf(note) === 'stopping';
      const force = isStopping && calls.isForced(note.task_id);
      const isSent = note.stop === 'forced' || (note.stop === 'asked' && !force);
      return isStopping && !isSent ? [{ task_id: note.task_id, force }] : [];
    }),
    taken: [...new Set([...gone, ...ended])],
    parked: all.filter(isParked).map(({ id }) => id),
    looks: [
      ...(runner.isOwn ? inspections.list(looking) : []),
      ...(knowsStates ? stateInspections.list(runner.id, looking) : []),
    ],
    changes: changes(),
    cleaning_requested: cleaning,
    time: timeNow(ctx),
    longest_wait: LONG_POLL_MAX_SECONDS,
  };
}

/** The tasks that the runner does not know. Those that begin include their secrets. */
async function listNewTasks(
  ctx: Context,
  runner: PollRequest['runner'],
  known: number[],
): Promise<RunnerTask[]> {
  const tasks = await listHeld(ctx, runner.id, known);
  const beginning = tasks
    // A side-car requests its own.
    .filter(({ status, snapshot }) => status === 'starting' && !isInPod(snapshot))
    .slice(0, MAX_TASKS_WITH_SECRETS);
  const complete = await Promise.all(beginning.map((task) => withSecrets(ctx, runner, task)));
  return [...complete, ...tasks.filter((task) => !beginning.includes(task))];
}

const isInPod = ({ executionEnvironment }: RunnerTask['snapshot']): boolean =>
  executionEnvironment?.kind === 'pod';

const timeNow = ({ clock }: Pick<Context, 'clock'>): string => clock.now().toISOString();

/** A signal that is notified when there may be something to report to this runner. */
function subscribeToChanges(
  { hub }: Context,
  { inspections, stateInspections }: PollSources,
  { runner, gone }: PollRequest,
) {
  const wake = new Signal(gone);
  let isUrgent = false;
  const notifyUrgently = (): void => {
    isUrgent = true;
    wake.notify();
  };
  const ends = [
    hub.subscribe('task.assigned', ({ runnerId: id }) => {
      if (id === runner.id) wake.notify();
    }),
    // The stopped task may be parked on this runner.
    hub.subscribe('task.stop-requested', notifyUrgently),
    hub.subscribe('hub.events-missed', wake.notify),
    hub.subscribe('resource.changed', ({ noun }) => {
      if (noun === 'repositories' || noun === 'projects') notifyUrgently();
    }),
    ...(runner.isOwn ? [inspections.onChange(wake.notify)] : []),
    stateInspections.onChange((id) => {
      if (id === runner.id) wake.notify();
    }),
  ];
  return {
    wake,
    isUrgent: () => isUrgent,
    close(): void {
      for (const end of ends) end();
    },
  };
}

export interface ForceStops {
  isForced: (taskId: number) => boolean;
  close: () => void;
}

/** Runners receive a force stop within seconds, so older ones can be dropped. */
const MAX_TRACKED_STOPS = 1000;

export function trackForceStops(hub: Hub): ForceStops {
  const forced = new Set<number>();
  const close = hub.subscribe('task.stop-requested', ({ taskId, force }) => {
    if (!force) return;
    forced.add(taskId);
    const [oldest] = forced;
    if (forced.size > MAX_TRACKED_STOPS && oldest !== undefined) forced.delete(oldest);
  });
  return { isForced: (taskId) => forced.has(taskId), close };
}
