// When each task ran on each host, for a drawing of a run with 100,000 results.

import type { ResultTimes } from '#shared/api/run-results.ts';
import type { Db } from '../../../db/open.ts';
import { resultsFrom } from './result-chunks.store.ts';

/** Reads results in columns, without their texts. */
export async function readResultTimes(
  db: Db,
  taskId: number,
  { from, limit }: { from: number; limit: number },
): Promise<ResultTimes> {
  const hosts = new Map<string, number>();
  const columns: Omit<ResultTimes, 'hosts' | 'next'> = {
    start: null,
    host: [],
    section: [],
    state: [],
    begin: [],
    duration_ms: [],
  };
  let next: number | null = null;
  for await (const { id, host, section, state, begin, duration_ms } of resultsFrom(db, taskId, {
    from,
  })) {
    if (columns.host.length === limit) {
      next = id;
      break;
    }
    const index = hosts.get(host) ?? hosts.size;
    hosts.set(host, index);
    columns.start ??= begin;
    columns.host.push(index);
    columns.section.push(section);
    columns.state.push(state);
    columns.begin.push(millisecondsBetween(columns.start, begin));
    columns.duration_ms.push(duration_ms);
  }
  return { hosts: [...hosts.keys()], ...columns, next };
}

const millisecondsBetween = (start: string | null, time: string | null): number | null =>
  start === null || time === null ? null : Date.parse(time) - Date.parse(start);
