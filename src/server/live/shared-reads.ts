// Coalesces concurrent reads of the same log.

import type { Hub } from './hub.ts';
import type { LogSource } from './follow.ts';

export function shareReads(hub: Hub, logOf: (taskId: number) => LogSource) {
  /** Pending reads by task. */
  const underWay = new Map<number, Map<string, Promise<unknown>>>();
  // A reader that was notified of new lines must not receive an older read.
  const ends = [
    hub.subscribe('log.appended', ({ taskId }) => void underWay.delete(taskId)),
    hub.subscribe('hub.events-missed', () => underWay.clear()),
  ];
  const once = <T>(taskId: number, what: string, read: () => Promise<T>): Promise<T> => {
    const reads = underWay.get(taskId) ?? new Map<string, Promise<unknown>>();
    const shared = reads.get(what);
    if (shared) return shared as Promise<T>;
    const reading = read().finally(() => {
      reads.delete(what);
      if (reads.size === 0 && underWay.get(taskId) === reads) underWay.delete(taskId);
    });
    underWay.set(taskId, reads.set(what, reading));
    return reading;
  };
  return {
    logOf(taskId: number): LogSource {
      const log = logOf(taskId);
      return {
        read: (from, limit) => once(taskId, `${from} ${limit}`, () => log.read(from, limit)),
        progress: () => once(taskId, 'progress', log.progress),
      };
    },
    close() {
      for (const end of ends) end();
    },
  };
}
