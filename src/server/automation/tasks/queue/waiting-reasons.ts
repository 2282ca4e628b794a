// The reasons why tasks wait, by the same rules as in admission.ts.

import type { ExecutionKind } from '#shared/api/execution-environments.ts';
import type { Task } from '#shared/api/tasks.ts';
import type { Context } from '../../../context/context.ts';
import {
  listRunnerCapacities,
  capacitiesFor,
  isForProject,
  type RunnerCapacity,
} from '../../../runners/runner-capacity.ts';
import { countRunning, listTurns, type TemplateTurn } from './queue.store.ts';

type WaitingFor = NonNullable<Task['waiting_for']>;

type InQueue = Pick<
  Task,
  'status' | 'project_id' | 'template_id' | 'not_before' | 'execution_kind'
>;
type WithReason<T> = T & Pick<Task, 'waiting_for'>;

/** Adds the reasons to the waiting tasks. */
export async function withReasons<T extends InQueue>(
  ctx: Context,
  tasks: T[],
): Promise<WithReason<T>[]> {
  const waiting = tasks.filter(({ status }) => status === 'waiting');
  if (waiting.length === 0) return tasks.map((task) => ({ ...task, waiting_for: null }));
  const templateIds = [...new Set(waiting.map((task) => task.template_id))];
  const turns = await listTurns(ctx.db, templateIds);
  const hasLimit = turns.values().some(({ projectLimit }) => projectLimit > 0);
  const queue: Queue = {
    now: ctx.clock.now().toISOString(),
    turns,
    running: hasLimit ? await countRunning(ctx.db) : new Map<number, number>(),
    places: await listRunnerCapacities(ctx),
  };
  return tasks.map((task) => ({
    ...task,
    waiting_for: task.status === 'waiting' ? reasonOf(task, queue) : null,
  }));
}

interface Queue {
  now: string;
  turns: Map<number, TemplateTurn>;
  /** By project. */
  running: Map<number, number>;
  places: RunnerCapacity[];
}

const none = { task_id: null, limit: null, until: null, tags: null };

function reasonOf(task: InQueue, { now, turns, running, places }: Queue): WaitingFor | null {
  const turn = turns.get(task.template_id);
  if (task.not_before && task.not_before > now) {
    return { ...none, reason: 'retry', until: task.not_before };
  }
  if (turn && !turn.allowParallel && turn.activeId !== null) {
    return { ...none, reason: 'template', task_id: turn.activeId };
  }
  const limit = turn?.projectLimit ?? 0;
  if (limit > 0 && (running.get(task.project_id) ?? 0) >= limit) {
    return { ...none, reason: 'project', limit };
  }
  return roomReason(places, task, turn?.tags ?? []);
}

/** What the runners of the task lack to execute its kind; null: there are none. */
function kindReason(
  kind: ExecutionKind,
  hasRunnerOf: (kind: ExecutionKind) => boolean,
): WaitingFor['reason'] | null {
  const hasMachine = hasRunnerOf('server');
  if (kind === 'tools') return hasMachine ? 'old_runner' : null;
  if (kind === 'container') return hasMachine || hasRunnerOf('pod') ? 'container_engine' : null;
  return kind === 'pod' && hasMachine ? 'kubernetes_runner' : null;
}

function roomReason(
  places: RunnerCapacity[],
  { project_id: projectId, execution_kind: executionKind }: InQueue,
  tags: string[],
): WaitingFor | null {
  // A waiting task has not begun, so it is not bound to a runner.
  const fittingFor = (kind: ExecutionKind) =>
    capacitiesFor(places, { projectId, tags, executionKind: kind, isBound: false, boundTo: null });
  const fitting = fittingFor(executionKind);
  if (fitting.length === 0) {
    const reason = kindReason(executionKind, (kind) => fittingFor(kind).length > 0);
    if (reason) return { ...none, reason };
    const hasAny = places.some(
      (one) => isForProject(one, projectId) && one.kinds.includes(executionKind),
    );
    const hasNoRunner = !hasAny && tags.length === 0;
    return { ...none, reason: 'runner', tags: hasNoRunner ? null : tags };
  }
  const withRoom = fitting.filter(({ hasRoom }) => hasRoom);
  if (withRoom.length === 0) return { ...none, reason: 'disk' };
  const sum = (count: (place: RunnerCapacity) => number) =>
    withRoom.reduce((total, place) => total + count(place), 0);
  const slots = sum((place) => place.slots);
  return sum(({ running }) => running) >= slots
    ? { ...none, reason: 'server', limit: slots }
    : null;
}
