// Who was to be ended at once: the row of a task says that it is to stop, but not how hard.

import type { Hub } from '../live/hub.ts';

export interface StopCalls {
  isForced: (taskId: number) => boolean;
  close: () => void;
}

/** How many are remembered; a runner hears of each within seconds. */
const most = 1000;

export function rememberStops(hub: Hub): StopCalls {
  const forced = new Set<number>();
  const close = hub.subscribe('stop', ({ taskId, force }) => {
    if (!force) return;
    forced.add(taskId);
    const [oldest] = forced;
    if (forced.size > most && oldest !== undefined) forced.delete(oldest);
  });
  return { isForced: (taskId) => forced.has(taskId), close };
}
