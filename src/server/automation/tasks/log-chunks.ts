// Lines → numbered chunks. Pure: knows no clock and no database.

import type { LogLine } from '#shared/api/task-log.ts';
import type { LogChunk } from './task-log.store.ts';

// Bytes of text after which a chunk is closed.
const chunkSize = 64 * 1024;

interface PendingLines {
  /** Closed chunks, and the open one as it is now: it is written again when it has grown. */
  chunks: LogChunk[];
  from: number;
  total: number;
}

export interface LogChunks {
  append: (line: LogLine) => void;
  /** Bytes appended since the last `take`. */
  pending: () => number;
  /** What has come since the last `take`; null when nothing has. */
  take: () => PendingLines | null;
}

/**
 * `stored`: lines that the log has already; numbering goes on from there. `last`: the chunk that
 * the newest of them are in, if it is to grow.
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
      if (open.bytes > 0 && open.bytes + size > chunkSize) {
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
