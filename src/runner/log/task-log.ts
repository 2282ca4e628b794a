// Masks, numbers and batches the lines of a task, and then stores them. A line gets its number here,
// once, in the order in which it was read from the spool.

import type { RunContext } from '../desk/desk.ts';
import type { LogLine } from '#shared/api/task-log.ts';
import { Slots } from '../system/slots.ts';
import type { Mask } from './mask.ts';
import { Pace } from './pace.ts';

// A line that comes after a rest is stored at once. The lines that follow it are collected for as long
// as the server needs to rest from storing, so they are stored together when many tasks print.
const pace = new Pace(2, { longestMs: 100, savedMs: 60 });
/** What the runner itself says waits so long for what it says next: nobody follows that by the millisecond. */
const gatherMs = 25;
/** As many bytes are stored without a rest. */
const batchBytes = 512 * 1024;
/** With more than this, `add` waits until earlier lines are stored. */
const mostBytesWaiting = 1024 * 1024;
/** A batch with so many bytes is large. */
const largeBytes = 64 * 1024;
/**
 * The large batches of all logs that are stored at once. The server needs several times their size in
 * memory for each, and would read more of them no sooner.
 */
const largeBatches = new Slots(2);

export interface TaskLog {
  /**
   * Adds lines. Settles at once, or when too many bytes wait, after some of them are stored. `spoolOffset` is
   * the byte of the spool behind these lines, which is stored together with them.
   */
  add: (lines: string[], spoolOffset?: number) => Promise<void>;
  /** The same for words of the runner, which are stored a little later. */
  say: (lines: string[], spoolOffset?: number) => Promise<void>;
  /** The number of lines so far, stored or not. */
  count: () => number;
  /** Stores the lines that still wait. */
  flush: () => Promise<void>;
}

export interface LoggedTask {
  id: number;
  project_id: number;
  lease: number;
  /** How many lines are stored already; new lines get the numbers after them. */
  log_lines?: number;
  /** The byte of the spool behind the stored lines. */
  spool_offset?: number;
}

export function createTaskLog(
  { clock, desk }: Pick<RunContext, 'clock' | 'desk'>,
  task: LoggedTask,
  mask: Mask,
): TaskLog {
  /** How many lines were stored or are being stored. */
  let stored = task.log_lines ?? 0;
  let waiting: LogLine[] = [];
  let waitingBytes = 0;
  let offset = task.spool_offset ?? 0;
  const writer = createWriter(
    () => waitingBytes,
    () => {
      const batch = { from: stored + 1, lines: waiting, spoolOffset: offset };
      stored += waiting.length;
      waiting = [];
      waitingBytes = 0;
      return desk.storeLines(task, batch);
    },
  );
  const addWith = async (gatherFor: number, lines: string[], spoolOffset?: number) => {
    writer.check();
    offset = spoolOffset ?? offset;
    const time = clock.now().toISOString();
    for (const line of lines) {
      const output = mask(line);
      waiting.push({ time, output });
      waitingBytes += Buffer.byteLength(output) + 1;
    }
    writer.begin(gatherFor);
    await writer.room();
  };
  return {
    add: (lines, spoolOffset) => addWith(0, lines, spoolOffset),
    say: (lines, spoolOffset) => addWith(gatherMs, lines, spoolOffset),
    count: () => stored + waiting.length,
    flush: writer.all,
  };
}

interface Writer {
  /** Writes what waits, as soon as the rest is over, and not before `gatherFor` ms, or when enough waits. */
  begin: (gatherFor?: number) => void;
  /** Settles when more may be added. */
  room: () => Promise<void>;
  /** Settles when all is written. */
  all: () => Promise<void>;
  /** Throws if something could not be written. */
  check: () => void;
}

/** Writes one batch after the other, so that lines are stored in the order of their numbers. */
function createWriter(waitingBytes: () => number, write: () => Promise<void>): Writer {
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> | null = null;
  let failure: unknown = null;
  let restedAt = 0;
  /** When the timer fires. */
  let due = Infinity;
  const writeBatch = async (): Promise<void> => {
    const begun = performance.now();
    try {
      await write();
    } catch (error) {
      failure ??= error;
    }
    restedAt = performance.now() + pace.after(performance.now() - begun);
  };
  const writeNext = async (): Promise<void> => {
    await (waitingBytes() < largeBytes ? writeBatch() : largeBatches.run(writeBatch));
    writing = null;
    begin();
  };
  const clear = (): void => {
    if (timer) clearTimeout(timer);
    timer = null;
    due = Infinity;
  };
  const writeNow = (): Promise<void> => {
    clear();
    writing ??= writeNext();
    return writing;
  };
  const begin = (gatherFor = 0): void => {
    if (writing || failure !== null || waitingBytes() === 0) return;
    const now = performance.now();
    const at = Math.max(restedAt, now + gatherFor);
    if (at <= now || waitingBytes() >= batchBytes) void writeNow();
    else if (at < due) {
      clear();
      due = at;
      timer = setTimeout(() => void writeNow(), at - now);
    }
  };
  const isDone = (): boolean => failure !== null || (!writing && waitingBytes() === 0);
  const check = (): void => {
    if (failure) throw new Error('The log of the task cannot be stored', { cause: failure });
  };
  return {
    begin,
    check,
    async room() {
      while (waitingBytes() >= mostBytesWaiting) {
        await writing;
        check();
      }
    },
    async all() {
      while (!isDone()) await writeNow();
      check();
    },
  };
}
