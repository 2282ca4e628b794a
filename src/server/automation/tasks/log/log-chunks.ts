// Groups lines into numbered chunks. All functions are pure.

import type { LogLine } from '#shared/api/task-log.ts';
import type { LogChunk } from './task-log.store.ts';

// A chunk with this much text is closed.
const chunkBytes = 64 * 1024;

interface PendingLines {
  /** The closed chunks and a copy of the open one, which is written again when it has grown. */
  chunks: LogChunk[];
  from: number;
  total: number;
}

export interface LogChunks {
  append: (line: LogLine) => void;
  /** The number of bytes appended since the last `take`. */
  pending: () => number;
  /** The lines appended since the last `take`; null: there are none. */
  take: () => PendingLines | null;
}

/**
 * `stored` is the number of lines that the log has already. `last` is the chunk with the newest of
 * them, if more lines may be added to it.
 */
export function createLogChunks(stored: number, last: LogChunk | null = null): LogChunks {
  let total = stored;
  let taken = stored;
  let bytes = 0;
  let closed: LogChunk[] = [];
  let open = last ?? { firstLine: total + 1, lines: [], bytes: 0 };
  return {
    append(line) {
      const size = Buffer.byteLength(line.output) + 1;
      if (open.bytes > 0 && open.bytes + size > chunkBytes) {
        closed.push(open);
        open = { firstLine: total + 1, lines: [], bytes: 0 };
      }
      open.lines.push(line);
      open.bytes += size;
      bytes += size;
      total += 1;
    },
    pending: () => bytes,
    take() {
      if (taken === total) return null;
      const copy = { ...open, lines: [...open.lines] };
      const chunks = open.lines.length > 0 ? [...closed, copy] : closed;
      const from = taken + 1;
      closed = [];
      taken = total;
      bytes = 0;
      return { chunks, from, total };
    },
  };
}
