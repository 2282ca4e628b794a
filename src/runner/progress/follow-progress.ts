// Reports the progress of a run while it goes on: reads the events from a file in the run's folder.
// A runner that has restarted reads the file from its beginning, so nothing is counted twice or missed.
// What is wrong with the file is dropped, with a line in the log of the runner: it never ends a run.

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
/** What is told after a pause is read this soon, together with what comes meanwhile. */
const gatherMs = 50;
const readBytes = 64 * 1024;
/** All runs share it: its bytes are taken before anything else is done. */
const buffer = Buffer.allocUnsafe(readBytes);
/** Longer lines are cut, so they are no longer JSON and are ignored. */
const MAX_LINE_BYTES = 2 * 1024 * 1024;
/** The callback writes no texts any more long before. */
const usualMostFileBytes = 1024 * 1024 * 1024;

export interface ProgressFollower {
  /**
   * Settles when the last progress has been recorded; returns what the events of the run say. Null: the
   * server is away, and the next runner reads them again.
   */
  end: () => Promise<RunState | null>;
}

export interface Following extends FollowedRun {
  /** Whether an error means that the server cannot be reached now. */
  isAway: (error: unknown) => boolean;
  /** Aborted when the run is left to the next runner, which reads the file again. */
  detached: AbortSignal;
  /** The size of the file in bytes behind which it is not followed any more. */
  mostFileBytes?: number;
}

export function followProgress(
  ctx: RunContext,
  task: RunnerTask,
  run: Following,
): ProgressFollower {
  const over = new AbortController();
  const path = progressFile(run.folder);
  const warn = (words: string): void => ctx.log.warn({ taskId: task.id }, words);
  const begin = () => {
    const report = createRunReporter(ctx, task, run);
    const { mostFileBytes = usualMostFileBytes } = run;
    return { report, ...createReader({ path, mostFileBytes }, report, warn) };
  };
  // Most programs tell nothing, and many of them can run at once.
  let reader: ReturnType<typeof begin> | null = null;
  /** False: the server is away. What it has not got is read from the file again. */
  const look = async (): Promise<boolean> => {
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
    await lookMeanwhile(path, look, over.signal);
    while (!isLeft && !(await look())) {
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
  // Progress is only shown to people, so a task must not fail because of it.
  const done = followAndClose();
  return {
    async end() {
      over.abort();
      await done;
      return isLeft ? null : (reader?.report.state ?? createRunState());
    },
  };
}

const isEmpty = (path: string): boolean => !statSync(path, { throwIfNoEntry: false })?.size;

const pause = (ms: number, signal: AbortSignal): Promise<unknown> =>
  delay(ms, undefined, { signal }).catch(() => undefined);

/** Looks soon after the file has changed, and at most once in a second, until the run is over. */
async function lookMeanwhile(
  path: string,
  look: () => Promise<unknown>,
  over: AbortSignal,
): Promise<void> {
  const watched = watchFiles(dirname(path), [basename(path)], over);
  try {
    while (!over.aborted) {
      await watched.wait(readPauseMs);
      await pause(gatherMs, over);
      if (!over.aborted) await look();
      await pause(readPauseMs, over);
    }
  } finally {
    watched.close();
  }
}

interface Reader {
  /** Reads the new lines; false: none of them was understood. */
  readOn: () => Promise<boolean>;
  /** Tells if the file ends within a line. */
  end: () => void;
}

function createReader(
  { path, mostFileBytes }: { path: string; mostFileBytes: number },
  report: RunReporter,
  warn: (words: string) => void,
): Reader {
  const splitter = createLineSplitter(MAX_LINE_BYTES);
  const told = new Set<string>();
  /** Says it once for each run. */
  const tell = (words: string): void => {
    if (!told.has(words)) warn(words);
    told.add(words);
  };
  let position = 0;
  const take = async (line: string): Promise<boolean> => {
    const event = parseEvent(line);
    if (event) await report.take(event, line.length);
    else tell('the progress of a task has lines that its callback has not written');
    return event !== null;
  };
  return {
    async readOn() {
      const file = await open(path, 'r').catch(() => null);
      if (!file) return false;
      let isUnderstood = false;
      try {
        while (position < mostFileBytes) {
          const length = Math.min(readBytes, mostFileBytes - position);
          // What was just written lies in memory, and awaiting it takes longer.
          const bytesRead = readSync(file.fd, buffer, 0, length, position);
          if (bytesRead === 0) return isUnderstood;
          position += bytesRead;
          for (const line of splitter.push(buffer.subarray(0, bytesRead))) {
            isUnderstood = (await take(line)) || isUnderstood;
          }
          if (bytesRead === readBytes) await others();
        }
        tell('the progress of a task is too long, and is not followed any more');
        return isUnderstood;
      } finally {
        await file.close();
      }
    },
    end() {
      if (splitter.held() > 0 && position < mostFileBytes) {
        tell('the progress of a task ends within a line');
      }
    },
  };
}
