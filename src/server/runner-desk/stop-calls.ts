// Remembers which tasks somebody has force stopped. The row of a task says that it is stopping, but not
// whether by force.

import type { Hub } from '../live/hub.ts';

export interface StopCalls {
  isForced: (taskId: number) => boolean;
  close: () => void;
}

/** A runner learns of each force stop within seconds, so older ones can be forgotten. */
const mostRemembered = 1000;

export function rememberStops(hub: Hub): StopCalls {
  const forced = new Set<number>();
  const close = hub.subscribe('stop', ({ taskId, force }) => {
    if (!force) return;
    forced.add(taskId);
    const [oldest] = forced;
    if (forced.size > mostRemembered && oldest !== undefined) forced.delete(oldest);
  });
  return { isForced: (taskId) => forced.has(taskId), close };
}
