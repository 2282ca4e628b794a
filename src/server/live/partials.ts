// The last lines of running programs before they end. They are kept in memory only, for those who open
// a log while its program waits, for example with a prompt. `after` says which line is before it: who
// has more lines than that ignores it.

import type { Hub } from './hub.ts';

export interface Partial {
  after: number;
  output: string;
}

export interface Partials {
  /** Tells the line that is known, and each one from now on; returns the function that ends it. */
  follow: (taskId: number, tell: (partial: Partial) => void) => () => void;
  close: () => void;
}

/** With more tasks than this, the oldest line is forgotten. */
const MAX_KEPT = 1000;

/** As JSON: it is sent to other servers in one notice of PostgreSQL. */
const MAX_BYTES = 6000;

/** Cuts a line that is too long for a hub event. */
export function shortPartial(output: string): string {
  let short = output;
  while (Buffer.byteLength(JSON.stringify(short)) > MAX_BYTES) {
    short = short.slice(0, Math.floor(short.length / 2));
  }
  return short;
}

export function createPartials(hub: Hub): Partials {
  const known = new Map<number, Partial>();
  const end = hub.subscribe('log.partial-line', ({ taskId, after, output }) => {
    known.delete(taskId);
    known.set(taskId, { after, output });
    const [oldest] = known.keys();
    if (known.size > MAX_KEPT && oldest !== undefined) known.delete(oldest);
  });
  return {
    follow(taskId, tell) {
      const before = known.get(taskId);
      if (before) tell(before);
      return hub.subscribe(
        'log.partial-line',
        ({ after, output }) => tell({ after, output }),
        taskId,
      );
    },
    close: end,
  };
}
