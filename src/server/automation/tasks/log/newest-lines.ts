// Caches the open chunk of each growing log, so that neither appending nor following the log has to read
// it again. Only stored chunks are cached, and stored lines never change.

import type { LogLine } from '#shared/api/task-log.ts';
import { stateOf } from '../../../../node/async/state-of.ts';
import type { Hub } from '../../../live/hub.ts';
import type { LogChunk } from './task-log.store.ts';

// At most 64 KiB of text each, unless a single line is longer.
const MAX_LOGS = 32;
const MAX_BYTES = 64 * 1024;

class NewestLines {
  readonly #chunks = new Map<number, LogChunk>();

  constructor(hub: Hub) {
    hub.subscribe('log.appended', ({ taskId, from, total }) => {
      // The task has ended.
      if (from > total) this.#chunks.delete(taskId);
    });
    hub.subscribe('hub.events-missed', () => this.#chunks.clear());
  }

  /** The chunk with the newest of a log's `stored` lines; null: not cached. */
  chunkOf(taskId: number, stored: number): LogChunk | null {
    const chunk = this.#chunks.get(taskId);
    return chunk && nextOf(chunk) === stored + 1 ? { ...chunk, lines: [...chunk.lines] } : null;
  }

  /** The newest lines from line `from` on; null: not cached. */
  linesFrom(taskId: number, from: number): LogLine[] | null {
    const chunk = this.#chunks.get(taskId);
    if (!chunk || from < chunk.firstLine || from >= nextOf(chunk)) return null;
    return chunk.lines.slice(from - chunk.firstLine);
  }

  /** Caches the newest chunk, which must be stored and must not be changed any more. */
  keep(taskId: number, chunk: LogChunk): void {
    this.#chunks.delete(taskId);
    if (chunk.bytes > MAX_BYTES) return;
    this.#chunks.set(taskId, chunk);
    const [longestQuiet] = this.#chunks.keys();
    if (this.#chunks.size > MAX_LOGS && longestQuiet !== undefined) {
      this.#chunks.delete(longestQuiet);
    }
  }
}

const nextOf = ({ firstLine, lines }: LogChunk): number => firstLine + lines.length;

export const newestLinesOf = stateOf((hub: Hub) => new NewestLines(hub));
