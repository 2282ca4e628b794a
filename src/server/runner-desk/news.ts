// What a runner without the database hears: its tasks, and who is to stop. It asks again and again,
// and each question waits for a while when there is nothing to say.

import {
  type HeldNote,
  type RunnerNews,
  type RunnerTask,
  longestWait,
} from '#shared/api/runner-desk.ts';
import type { Context } from '../context.ts';
import { listHeld, listHeldParked, listTaken, type ClaimedTask } from '../tasks/claim.ts';
import type { StopCalls } from './stop-calls.ts';

export interface Question {
  runnerId: number;
  held: HeldNote[];
  /** Seconds. */
  wait: number;
  /** Fires when nobody waits for the answer any more. */
  gone: AbortSignal;
}

export async function awaitNews(
  ctx: Context,
  calls: StopCalls,
  { runnerId, held, wait, gone }: Question,
): Promise<RunnerNews> {
  const end = Date.now() + Math.min(wait, longestWait) * 1000;
  // First, so that nothing falls between a look and the wait.
  const bell = hearCalls(ctx, runnerId);
  gone.addEventListener('abort', bell.ring, { once: true });
  try {
    for (;;) {
      const news = await look(ctx, calls, runnerId, held);
      const left = end - Date.now();
      if (isNew(news) || bell.isUrgent() || left <= 0 || gone.aborted) return news;
      await bell.wait(left);
    }
  } finally {
    bell.close();
  }
}

const isNew = ({ tasks, stops, taken }: RunnerNews): boolean =>
  tasks.length + stops.length + taken.length > 0;

async function look(
  ctx: Context,
  calls: StopCalls,
  runnerId: number,
  held: HeldNote[],
): Promise<RunnerNews> {
  const named = held.map(({ task_id: id, lease }) => ({ id, lease }));
  const [all, gone, parked] = await Promise.all([
    listHeld(ctx, runnerId),
    listTaken(ctx, named),
    listHeldParked(ctx, runnerId),
  ]);
  const byId = new Map(all.map((task) => [task.id, task]));
  const isHere = ({ task_id: id, lease }: HeldNote): boolean => byId.get(id)?.lease === lease;
  const ended = held.filter((note) => !isHere(note)).map(({ task_id: id }) => id);
  return {
    tasks: all.filter(({ id }) => !named.some((one) => one.id === id)).map(toRunnerTask),
    stops: held.flatMap((note) => {
      const isStopping = byId.get(note.task_id)?.status === 'stopping';
      const force = isStopping && calls.isForced(note.task_id);
      const isTold = note.stop === 'forced' || (note.stop === 'asked' && !force);
      return isStopping && !isTold ? [{ task_id: note.task_id, force }] : [];
    }),
    taken: [...new Set([...gone, ...ended])],
    parked,
    time: ctx.clock.now().toISOString(),
  };
}

function toRunnerTask(task: ClaimedTask): RunnerTask {
  const { commitHash, isConfirmed, snapshot, runnerId: _its, runnerName, ...same } = task;
  return {
    ...same,
    runner_name: runnerName,
    commit_hash: commitHash,
    is_confirmed: isConfirmed,
    snapshot: { ...snapshot },
  };
}

/** Rings when there may be something to say to this runner. */
function hearCalls({ hub }: Context, runnerId: number) {
  let isRung = false;
  let hasStop = false;
  let wake: () => void = () => undefined;
  const ring = (): void => {
    isRung = true;
    wake();
  };
  const ends = [
    hub.subscribe('given', ({ runnerId: id }) => {
      if (id === runnerId) ring();
    }),
    hub.subscribe('stop', () => {
      hasStop = true;
      ring();
    }),
    hub.subscribe('missed', ring),
  ];
  return {
    ring,
    /** Somebody has stopped something, perhaps what waits in the middle of a run here. */
    isUrgent: () => hasStop,
    async wait(ms: number): Promise<void> {
      const late = setTimeout(ring, ms);
      if (!isRung) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      clearTimeout(late);
      isRung = false;
    },
    close(): void {
      for (const end of ends) end();
    },
  };
}
