// Remembers which tasks were force stopped, which the row of a task does not store.

import type { Hub } from '../live/hub.ts';

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
