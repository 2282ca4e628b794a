// Follows the progress file of a run and reports its events. A runner that has restarted reads the file from the
// beginning, so nothing is counted twice or missed. Invalid content is skipped and logged: it never ends a run.

import { readSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { setImmediate as others, setTimeout as delay } from 'node:timers/promises';
import type { RunnerTask } from '#shared/api/runner-api.ts';
import type { RunContext } from '../api/runner-api.ts';
import { createLineSplitter } from '../log/lines.ts';
import { watchFiles } from '../../node/fs/watch-files.ts';
import { progressFile } from '../workspace/workspace.ts';
import { parseEvent } from './events.ts';
import { createRunReporter, type FollowedRun, type RunReporter } from './run-reporter.ts';
import { createRunState, type RunState } from './run-state.ts';

const readPauseMs = 1000;
/** The delay after a change, so that following events are read with it. */
const gatherMs = 50;
const readBytes = 64 * 1024;
/** Shared by all runs: its bytes are consumed synchronously. */
const buffer = Buffer.allocUnsafe(readBytes);
/** Longer lines are cut, so they are no longer JSON and are ignored. */
const MAX_LINE_BYTES = 2 * 1024 * 1024;
/** The callback stops writing texts far below. */
const MAX_FILE_BYTES = 1024 * 1024 * 1024;

export interface Following extends FollowedRun {
  /** Whether the server is unreachable. */
  isAway: (error: unknown) => boolean;
  /** Fires when the run is left to the next runner, which reads the file again. */
  detached: AbortSignal;
  /** The file is followed up to this size. */
  mostFileBytes?: number;
}

export function followProgress(ctx: RunContext, task: RunnerTask, run: Following) {
  const over = new AbortController();
  const path = progressFile(run.folder);
  const warn = (words: string): void => ctx.log.warn({ taskId: task.id }, words);
  const begin = () => {
    const report = createRunReporter(ctx, task, run);
    const { mostFileBytes = MAX_FILE_BYTES } = run;
    return { report, ...createReader({ path, mostFileBytes }, report, warn) };
  };
  // Created lazily, because most programs report no events and many can run at once.
  let reader: ReturnType<typeof begin> | null = null;
  /** False: the server is unreachable. Events that it did not receive are read again. */
  const read = async (): Promise<boolean> => {
    if (isEmpty(path)) return true;
    reader ??= begin();
    try {
      if (await reader.readOn()) await reader.report.send();
      return true;
    } catch (error) {
      if (!run.isAway(error)) throw error;
      await reader.report.close();
      reader = null;
      return false;
    }
  };
  let isLeft = false;
  const follow = async (): Promise<void> => {
    await readOnChanges(path, read, over.signal);
    while (!isLeft && !(await read())) {
      isLeft = run.detached.aborted;
      await pause(readPauseMs, run.detached);
    }
    reader?.end();
  };
  const followAndClose = async (): Promise<void> => {
    try {
      await follow();
    } catch (error) {
      ctx.log.warn({ err: error, taskId: task.id }, 'the progress of a task cannot be followed');
    } finally {
      await reader?.report.close();
    }
  };
  // Errors are not rethrown: progress is only shown to people, so a task must not fail because of it.
  const done = followAndClose();
  return {
    /**
     * Settles when all progress has been recorded; returns the state of the run. Null: the server is unreachable,
     * and the next runner reads the file again.
     */
    async end(): Promise<RunState | null> {
      over.abort();
      await done;
      return isLeft ? null : (reader?.report.state ?? createRunState());
    },
  };
}

const isEmpty = (path: string): boolean => !statSync(path, { throwIfNoEntry: false })?.size;

const pause = (ms: number, signal: AbortSignal): Promise<unknown> =>
  delay(ms, undefined, { signal }).catch(() => undefined);

/** Reads soon after a change of the file, and at most once a second, until the run is over. */
async function readOnChanges(
  path: string,
  read: () => Promise<unknown>,
  over: AbortSignal,
): Promise<void> {
  const watched = watchFiles(dirname(path), [basename(path)], over);
  try {
    while (!over.aborted) {
      await watched.wait(readPauseMs);
      await pause(gatherMs, over);
      if (!over.aborted) await read();
      await pause(readPauseMs, over);
    }
  } finally {
    watched.close();
  }
}

function createReader(
  { path, mostFileBytes }: { path: string; mostFileBytes: number },
  report: RunReporter,
  warn: (words: string) => void,
) {
  const splitter = createLineSplitter(MAX_LINE_BYTES);
  const warned = new Set<string>();
  /** Logs a warning once. */
  const warnOnce = (words: string): void => {
    if (!warned.has(words)) warn(words);
    warned.add(words);
  };
  let position = 0;
  const take = async (line: string): Promise<boolean> => {
    const event = parseEvent(line);
    if (event) await report.take(event, line.length);
    else warnOnce('the progress of a task has lines that its callback has not written');
    return event !== null;
  };
  return {
    /** Reads the new lines; false: none of them is valid. */
    async readOn(): Promise<boolean> {
      const file = await open(path, 'r').catch(() => null);
      if (!file) return false;
      let isUnderstood = false;
      try {
        while (position < mostFileBytes) {
          const length = Math.min(readBytes, mostFileBytes - position);
          // The page cache has what was just written, and an asynchronous read takes longer.
          const bytesRead = readSync(file.fd, buffer, 0, length, position);
          if (bytesRead === 0) return isUnderstood;
          position += bytesRead;
          for (const line of splitter.push(buffer.subarray(0, bytesRead))) {
            isUnderstood = (await take(line)) || isUnderstood;
          }
          if (bytesRead === readBytes) await others();
        }
        warnOnce('the progress of a task is too long, and is not followed any more');
        return isUnderstood;
      } finally {
        await file.close();
      }
    },
    /** Warns if the file ends within a line. */
    end(): void {
      if (splitter.held() > 0 && position < mostFileBytes) {
        warnOnce('the progress of a task ends within a line');
      }
    },
  };
}
