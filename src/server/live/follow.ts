// Follows one log for one reader, from its cursor to the last line, each line once. Hub events only signal
// that lines may have been stored; lines are read from the database. The reader subscribes before it reads,
// and checks for the end of the task before it reads, so it misses no line. Lines are read on demand, so a
// slow reader needs no memory.

import type { LogLine } from '#shared/api/task-log.ts';
import { Signal } from '../../node/async/signal.ts';
import type { Hub } from './hub.ts';

export interface LogSource {
  read: (from: number, limit: number) => Promise<LogLine[]>;
  /** The state of the task; null when the task has been deleted. */
  progress: () => Promise<{ lines: number; isFinished: boolean } | null>;
}

export interface Batch {
  from: number;
  lines: LogLine[];
}

const LINES_PER_READ = 1000;

/** Yields until the task has ended; returns the number of lines of the whole log. */
export async function* followLog(
  source: LogSource,
  hub: Hub,
  { taskId, after, signal }: { taskId: number; after: number; signal: AbortSignal },
): AsyncGenerator<Batch, number, void> {
  const wake = new Signal(signal);
  const ends = [
    hub.subscribe('log.appended', wake.notify, taskId),
    hub.subscribe('hub.events-missed', wake.notify),
  ];
  try {
    let cursor = after;
    while (!signal.aborted) {
      const progress = await source.progress();
      if (!progress) return cursor;
      const lines = progress.lines > cursor ? await source.read(cursor + 1, LINES_PER_READ) : [];
      if (lines.length > 0) {
        yield { from: cursor + 1, lines };
        cursor += lines.length;
      } else if (progress.isFinished) {
        return progress.lines;
      } else {
        await wake.wait();
      }
    }
    return cursor;
  } finally {
    for (const end of ends) end();
  }
}
