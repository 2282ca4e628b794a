// Tells the server the commit of a run: together with the first step, which usually begins within
// milliseconds, or alone when the preparation takes longer.

import type { Commit } from '../api/runner-api.ts';

const longestWaitMs = 25;

export interface CommitNote {
  /** Notes the commit. Settles when the server was told of it, or somebody has taken it. */
  tell: (commit: Commit) => Promise<void>;
  /** The commit that the server has not been told, for whoever tells it now; null: there is none. */
  take: () => Commit | null;
}

export function createCommitNote(record: (commit: Commit) => Promise<void>): CommitNote {
  let waiting: Commit | null = null;
  const { promise: isDue, resolve: wake } = Promise.withResolvers<void>();
  const take = (): Commit | null => {
    const commit = waiting;
    waiting = null;
    wake();
    return commit;
  };
  return {
    async tell(commit) {
      waiting = commit;
      const timer = setTimeout(wake, longestWaitMs);
      await isDue;
      clearTimeout(timer);
      const left = take();
      if (left) await record(left);
    },
    take,
  };
}
