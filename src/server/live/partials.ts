// The unfinished last lines of logs, such as prompts, kept in memory only. A client that has more than
// `after` lines ignores the line.

import type { Hub } from './hub.ts';

export interface Partial {
  after: number;
  output: string;
}

export interface Partials {
  /** Passes the known line and each later one to `tell`; returns the function that unsubscribes. */
  follow: (taskId: number, tell: (partial: Partial) => void) => () => void;
  close: () => void;
}

/** Beyond it the oldest line is dropped. */
const MAX_KEPT = 1000;

/** Of the JSON text, which must fit into one NOTIFY of PostgreSQL. */
const MAX_BYTES = 6000;

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
