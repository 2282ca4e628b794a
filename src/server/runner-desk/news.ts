// What a runner hears: its tasks, who is to stop, and what somebody wants it to look at. It asks
// again and again, and each question waits for a while when there is nothing to say.

import { longestWait, type HeldNote, type RunnerNews } from '#shared/api/runner-desk.ts';
import { Bell } from '../../runner/system/bell.ts';
import type { Context } from '../context/context.ts';
import type { RunnerActor } from '../context/runner-actor.ts';
import {
  listHeld,
  listHeldLeases,
  listHeldParked,
  listTaken,
} from '../automation/tasks/runner-tasks.ts';
import type { Looks } from './looks.ts';
import type { StopCalls } from './stop-calls.ts';

export interface Question {
  runner: Pick<RunnerActor, 'id' | 'isOwn'>;
  held: HeldNote[];
  /** Ids of the looks that it is at. */
  looking: number[];
  /** Seconds. */
  wait: number;
  /** Fires when nobody waits for the answer any more. */
  gone: AbortSignal;
}

/** What questions are answered from, beside the database. */
export interface NewsSources {
  calls: StopCalls;
  /** Those of the runner beside this server. */
  looks: Looks;
  /** How often repositories and projects have changed. */
  changes: () => number;
}

export async function awaitNews(
  ctx: Context,
  sources: NewsSources,
  question: Question,
): Promise<RunnerNews> {
  const { gone } = question;
  const end = Date.now() + Math.min(question.wait, longestWait) * 1000;
  // First, so that nothing falls between a look and the wait.
  const calls = hearCalls(ctx, sources, question);
  try {
    for (;;) {
      const news = await read(ctx, sources, question);
      const left = end - Date.now();
      if (isNew(news, question) || calls.isUrgent() || left <= 0 || gone.aborted) return news;
      await calls.bell.wait(left);
    }
  } finally {
    calls.close();
  }
}

function isNew({ tasks, stops, taken, looks }: RunnerNews, { held }: Question): boolean {
  // One that the runner was told of before is still being cleared away there.
  const isTold = (id: number): boolean =>
    held.some((note) => note.task_id === id && note.stop === 'forced');
  return tasks.length + stops.length + looks.length > 0 || !taken.every(isTold);
}

async function read(
  ctx: Context,
  { calls, looks, changes }: NewsSources,
  { runner, held, looking }: Question,
): Promise<RunnerNews> {
  const named = held.map(({ task_id: id, lease }) => ({ id, lease }));
  const [tasks, known, gone, parked] = await Promise.all([
    listHeld(ctx, runner.id, { except: named.map(({ id }) => id) }),
    listHeldLeases(ctx, runner.id),
    listTaken(ctx, named),
    listHeldParked(ctx, runner.id),
  ]);
  const statusOf = ({ task_id: id, lease }: HeldNote) =>
    known.find((task) => task.id === id && task.lease === lease)?.status;
  const ended = held.filter((note) => !statusOf(note)).map(({ task_id: id }) => id);
  return {
    tasks,
    stops: held.flatMap((note) => {
      const isStopping = statusOf(note) === 'stopping';
      const force = isStopping && calls.isForced(note.task_id);
      const isTold = note.stop === 'forced' || (note.stop === 'asked' && !force);
      return isStopping && !isTold ? [{ task_id: note.task_id, force }] : [];
    }),
    taken: [...new Set([...gone, ...ended])],
    parked,
    looks: runner.isOwn ? looks.list(looking) : [],
    changes: changes(),
    time: ctx.clock.now().toISOString(),
  };
}

/** Rings when there may be something to say to this runner. */
function hearCalls({ hub }: Context, { looks }: NewsSources, { runner, gone }: Question) {
  const bell = new Bell(gone);
  let isUrgent = false;
  const ringAtOnce = (): void => {
    isUrgent = true;
    bell.ring();
  };
  const ends = [
    hub.subscribe('given', ({ runnerId: id }) => {
      if (id === runner.id) bell.ring();
    }),
    // Somebody has stopped something, perhaps what waits in the middle of a run here.
    hub.subscribe('stop', ringAtOnce),
    hub.subscribe('missed', bell.ring),
    hub.subscribe('changed', ({ noun }) => {
      if (noun === 'repositories' || noun === 'projects') ringAtOnce();
    }),
    ...(runner.isOwn ? [looks.onChange(bell.ring)] : []),
  ];
  return {
    bell,
    isUrgent: () => isUrgent,
    close(): void {
      for (const end of ends) end();
    },
  };
}
