// What a runner is to run. Of a server that is alone: the table says what waits, the hub says
// when to look. Of several, `dispatcher.ts` does this.

import type { Context } from '../server/context.ts';
import type { HubMessages } from '../server/live/hub.ts';
import {
  claimDue,
  listHeld,
  listWaitingRuns,
  nextTry,
  type ClaimedTask,
} from '../server/tasks/claim.ts';

/** A task, and what shows that it is ours. */
export type Lease = Pick<ClaimedTask, 'id' | 'lease'>;

export interface Queue {
  start: () => Promise<void>;
  /** The tasks that the limits allow, each ours alone from when it is handed over. */
  take: (held: number[]) => AsyncIterable<ClaimedTask>;
  /** When, after this time, it is worth looking without being called; null: never. */
  nextTime: (after: Date) => Promise<Date | null>;
  /** Calls back whenever it is worth looking; answers the function that ends this. */
  onReady: (listener: () => void) => () => void;
  /** Those that were taken from this runner, which did not answer for too long. */
  listTaken: (held: Lease[]) => Promise<number[]>;
  /** What this runner had in its hands when it ended. */
  listLeftBehind: () => Promise<ClaimedTask[]>;
  /** Those that wait in the middle of a run; nobody has them in hand. */
  listParked: () => Promise<number[]>;
  /** Calls back when somebody wants a task to stop. */
  onStop: (listener: (stop: HubMessages['stop']) => void) => () => void;
  /** Calls back when repositories or projects have changed. */
  onChange: (listener: () => void) => () => void;
  close: () => Promise<void>;
}

export function localQueue(ctx: Context): Queue {
  return {
    start: () => Promise.resolve(),
    take: () => takeOwn(ctx),
    nextTime: (after) => nextTry(ctx, after),
    onReady: (listener) => onQueue(ctx, listener),
    listTaken: () => Promise.resolve([]),
    listLeftBehind: () => listHeld(ctx, null),
    ...fromHub(ctx),
    close: () => Promise.resolve(),
  };
}

/** Gives tasks to those who have room, and hands over the ones that stay here. */
async function* takeOwn(ctx: Context): AsyncGenerator<ClaimedTask> {
  for await (const task of claimDue(ctx)) if (task.runnerId === null) yield task;
}

/** What every runner with the database learns there. */
export const fromHub = (ctx: Context): Pick<Queue, 'listParked' | 'onStop' | 'onChange'> => ({
  listParked: () => listWaitingRuns(ctx),
  onStop: (listener) => ctx.hub.subscribe('stop', listener),
  onChange: (listener) =>
    ctx.hub.subscribe('changed', ({ noun }) => {
      if (noun === 'repositories' || noun === 'projects') listener();
    }),
});

/** Calls back when a task may have its turn; answers the function that ends this. */
export function onQueue({ hub }: Context, listener: () => void): () => void {
  const ends = [
    hub.subscribe('queue', listener),
    hub.subscribe('missed', listener),
    // Their limits may have changed.
    hub.subscribe('changed', ({ noun }) => {
      if (noun === 'projects' || noun === 'templates') listener();
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}
