// Finds values of the server's statistics outside their normal range. Pure functions.

import type { SystemFigures } from '#shared/api/system.ts';

export type FigureName =
  | 'disk'
  | 'database'
  | 'backups'
  | 'set_aside'
  | 'queue'
  | 'running'
  | 'to_confirm'
  | 'memory'
  | 'node'
  | 'proxy'
  | 'zone_rules'
  | 'started';

const MAX_WAIT_MS = 15 * 60_000;
const usualMemoryBytes = 1_000_000_000;

interface AsideOnRunner {
  id: number;
  name: string;
  count: number;
  folder: string;
}

export const asideOnRunners = ({ runners }: SystemFigures): AsideOnRunner[] =>
  runners.flatMap(({ id, name, set_aside: aside }) =>
    aside && aside.count > 0 ? [{ id, name, count: aside.count, folder: aside.folder }] : [],
  );

/** `now` is in milliseconds. */
export function isUnusual(name: FigureName, figures: SystemFigures, now: number): boolean {
  const { disk, queue, server, backups } = figures;
  if (name === 'disk') return disk.free_bytes !== null && disk.free_bytes < disk.low_bytes;
  if (name === 'backups') return backups.failure !== null;
  if (name === 'set_aside') {
    return figures.set_aside.count > 0 || asideOnRunners(figures).length > 0;
  }
  if (name === 'memory') return server.memory_bytes > usualMemoryBytes;
  if (name !== 'queue' || queue.oldest_waiting === null) return false;
  return now - Date.parse(queue.oldest_waiting) > MAX_WAIT_MS;
}
