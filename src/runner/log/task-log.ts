// The lines of a task on their way to where they are stored: mask → number → batch → store.
// A line gets its number once, here, in the order in which it was read from the pipe.

import type { RunContext } from '../desk/desk.ts';
import type { LogLine } from '#shared/api/task-log.ts';
import type { Mask } from './mask.ts';

/** Milliseconds that lines are collected before they are stored. */
const batchTime = 100;
/** Bytes that may wait to be stored; whoever adds more waits too. */
const most = 1024 * 1024;

export interface TaskLog {
  /**
   * Settles at once, or when enough has been stored to take more. `spoolOffset`: the byte of
   * the spool behind these lines, stored together with them.
   */
  add: (lines: string[], spoolOffset?: number) => Promise<void>;
  /** Stores what is left. */
  flush: () => Promise<void>;
}

export interface LoggedTask {
  id: number;
  project_id: number;
  lease: number;
  /** Lines that are stored already; new ones are numbered from there. */
  log_lines?: number;
  /** The byte of the spool behind the stored lines. */
  spool_offset?: number;
}

export function createTaskLog(
  { clock, desk }: Pick<RunContext, 'clock' | 'desk'>,
  task: LoggedTask,
  mask: Mask,
): TaskLog {
  /** Lines that were stored, or are being stored. */
  let stored = task.log_lines ?? 0;
  let waiting: LogLine[] = [];
  let waitingBytes = 0;
  let offset = task.spool_offset ?? 0;
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();
  let failure: unknown = null;
  let lastFlush = 0;

  const flush = async (): Promise<void> => {
    if (timer) clearTimeout(timer);
    timer = null;
    if (waiting.length === 0) return;
    const batch = { from: stored + 1, lines: waiting, spoolOffset: offset };
    stored += waiting.length;
    waiting = [];
    waitingBytes = 0;
    lastFlush = performance.now();
    await desk.storeLines(task, batch);
  };

  /** One write after the other, so that the number of stored lines only grows. */
  const store = (): Promise<void> => {
    writing = writing.then(flush).catch((error: unknown) => {
      failure ??= error;
    });
    return writing;
  };

  const check = (): void => {
    if (failure) throw new Error('The log of the task cannot be stored', { cause: failure });
  };

  return {
    async add(lines, spoolOffset) {
      check();
      offset = spoolOffset ?? offset;
      const time = clock.now().toISOString();
      for (const line of lines) {
        const output = mask(line);
        waiting.push({ time, output });
        waitingBytes += Buffer.byteLength(output) + 1;
      }
      if (waitingBytes >= most) {
        await store();
        check();
      } else if (!timer) {
        // The first line after a pause is shown at once.
        const wait = Math.max(0, batchTime - (performance.now() - lastFlush));
        timer = setTimeout(() => void store(), wait);
      }
    },
    async flush() {
      await store();
      check();
    },
  };
}
