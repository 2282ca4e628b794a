// Masks, numbers and batches the lines of a task, and stores them. A line gets its number here, once, in the order
// of the spool.

import type { NewLines, RunContext, HeldTask } from '../api/runner-api.ts';
import type { LogLine } from '#shared/api/task-log.ts';
import { LogWriter } from './log-writer.ts';
import type { Mask, PartMask } from './mask.ts';
import { lastState } from '#shared/terminal.ts';

export interface TaskLog {
  /**
   * Adds lines. Settles at once, or after some lines are stored when too many wait. `spoolOffset`: the byte of
   * the spool after these lines, stored together with them.
   */
  say: (lines: string[], spoolOffset?: number) => Promise<void>;
  /** The number of lines so far, stored or not. */
  count: () => number;
  /** Stores the waiting lines. */
  flush: () => Promise<void>;
  /** Stores them by a call that does more in the same request; null: no lines wait. Rethrows its errors. */
  storeWith: <T>(call: (lines: NewLines | null) => Promise<T>) => Promise<T>;
  /** Stores nothing more, since the next runner continues the log. */
  giveUp: (cause: unknown) => void;
}

interface LoggedTask {
  id: number;
  project_id: number;
  lease: number;
  /** How many lines are stored already. */
  log_lines?: number;
  /** The byte of the spool after the stored lines. */
  spool_offset?: number;
}

export function createTaskLog(
  { config, clock, runnerApi }: Pick<RunContext, 'config' | 'clock' | 'runnerApi'>,
  task: LoggedTask,
  mask: Mask,
): TaskLog {
  /** How many lines were stored or are being stored. */
  let stored = task.log_lines ?? 0;
  let waiting: LogLine[] = [];
  let waitingBytes = 0;
  let offset = task.spool_offset ?? 0;
  const takeBatch = (): NewLines | null => {
    if (waiting.length === 0) return null;
    const batch = { from: stored + 1, lines: waiting, spoolOffset: offset };
    stored += waiting.length;
    waiting = [];
    waitingBytes = 0;
    return batch;
  };
  const putBack = ({ from, lines }: NewLines): void => {
    stored = from - 1;
    waiting = [...lines, ...waiting];
    for (const { output } of lines) waitingBytes += sizeOf(output);
  };
  /** After an error the lines wait again. A retry sends the same numbers, so the server skips stored lines. */
  const withBatch = async <T>(call: (lines: NewLines | null) => Promise<T>): Promise<T> => {
    const batch = takeBatch();
    try {
      return await call(batch);
    } catch (error) {
      if (batch) putBack(batch);
      throw error;
    }
  };
  const writer = new LogWriter({
    config,
    waitingBytes: () => waitingBytes,
    write: () =>
      withBatch(async (lines) => {
        if (lines) await runnerApi.storeLines(task, lines);
      }),
  });
  const say = async (lines: string[], spoolOffset?: number): Promise<void> => {
    writer.check();
    offset = spoolOffset ?? offset;
    const time = clock.now().toISOString();
    for (const line of lines) {
      const output = mask(line);
      waiting.push({ time, output });
      waitingBytes += sizeOf(output);
    }
    writer.begin();
    await writer.room();
  };
  return {
    say,
    count: () => stored + waiting.length,
    flush: () => writer.all(),
    giveUp: (cause) => writer.giveUp(cause),
    storeWith: (call) => writer.writeWith(() => withBatch(call)),
  };
}

const sizeOf = (output: string): number => Buffer.byteLength(output) + 1;

// Shows the unfinished last line of a program: a prompt, or the progress of a download. It has no number yet and is
// not stored. Throttled, and cut to a few thousand characters.

const pauseMs = 500;
const MAX_CHARACTERS = 2000;

/** `lines`: the number of lines before this one. */
export function createPartialLine(
  { runnerApi, log }: Pick<RunContext, 'runnerApi' | 'log'>,
  task: HeldTask,
  { mask, lines }: { mask: PartMask; lines: () => number },
) {
  let sent = '';
  let nextMs = 0;
  let isBusy = false;
  const send = async (after: number, output: string): Promise<void> => {
    isBusy = true;
    // Errors are not retried: the line is stored when it ends.
    await runnerApi.sendPartialLine(task, { after, output }).catch((error: unknown) => {
      log.debug({ err: error, taskId: task.id }, 'sending a partial line failed');
    });
    isBusy = false;
  };
  return {
    /** `read` returns the text since the last whole line; null: it is too long to be shown. */
    take(read: () => string | null): void {
      const now = performance.now();
      if (isBusy || now < nextMs) return;
      nextMs = now + pauseMs;
      const text = read();
      if (text === null) return;
      // The last character may be incomplete.
      const shown = lastState(mask(text.replace(/\uFFFD$/, ''))).slice(0, MAX_CHARACTERS);
      const after = lines();
      const key = `${after} ${shown}`;
      if (key === sent) return;
      sent = key;
      void send(after, shown);
    },
  };
}
