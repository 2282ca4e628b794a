// Reads the progress of a program from a file in the run's folder. Each of its lines is JSON with the
// whole state. A runner that has restarted reads the file from its beginning.

import { open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { hostResult, taskProgress } from '#shared/api/tasks.ts';
import type { RunnerTask } from '#shared/api/runner-desk.ts';
import type { RunContext } from '../desk/desk.ts';
import { createLineSplitter } from '../log/lines.ts';
import type { Mask } from '../log/mask.ts';
import { progressFile } from '../workspace/workspace.ts';

const readPauseMs = 1000;
const readBytes = 64 * 1024;
const longestName = 250;
const mostHosts = 5000;
/** Longer lines are cut, so they are no longer JSON and are ignored. */
const longestLineBytes = 2 * 1024 * 1024;

const told = taskProgress.extend({ hosts: z.array(hostResult).optional() });

export interface ProgressFollower {
  /** Settles when the last progress has been recorded. */
  end: () => Promise<void>;
}

export function followProgress(
  ctx: RunContext,
  task: RunnerTask,
  { folder, mask }: { folder: string; mask: Mask },
): ProgressFollower {
  const over = new AbortController();
  const next = createReader(progressFile(folder));
  const shown = (text: string): string => mask(text).slice(0, longestName);
  const look = async (): Promise<void> => {
    const line = await next();
    const state = line === null ? null : parse(line);
    if (!state) return;
    const { hosts, ...progress } = state;
    const named = { ...progress, play: shown(progress.play), task: shown(progress.task) };
    const results = hosts?.map((one) => ({ ...one, host: shown(one.host) }));
    await ctx.desk.recordProgress(task, named, results ?? null);
  };
  const follow = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await look();
      await delay(readPauseMs, undefined, { signal: over.signal }).catch(() => undefined);
    }
    await look();
  };
  // Progress is only shown to people, so a task must not fail because of it.
  const done = follow().catch((error: unknown) => {
    ctx.log.warn({ err: error, taskId: task.id }, 'the progress of a task cannot be followed');
  });
  return {
    end() {
      over.abort();
      return done;
    },
  };
}

/** Null: the line is not a valid state, since the program may write anything into the file. */
function parse(line: string): z.output<typeof told> | null {
  try {
    const state = JSON.parse(line) as { hosts?: unknown };
    // Cut before validation, because errors for each of a million hosts would take long to build.
    const hosts = Array.isArray(state.hosts) ? state.hosts.slice(0, mostHosts) : undefined;
    return told.parse({ ...state, hosts });
  } catch {
    return null;
  }
}

/** Answers a function that reads the newest line; null: there is no new line. */
function createReader(path: string): () => Promise<string | null> {
  const splitter = createLineSplitter(longestLineBytes);
  const buffer = Buffer.allocUnsafe(readBytes);
  let position = 0;
  return async () => {
    const file = await open(path, 'r').catch(() => null);
    if (!file) return null;
    let newest: string | null = null;
    try {
      for (;;) {
        const { bytesRead } = await file.read(buffer, 0, readBytes, position);
        if (bytesRead === 0) return newest;
        position += bytesRead;
        newest = splitter.push(buffer.subarray(0, bytesRead)).at(-1) ?? newest;
      }
    } finally {
      await file.close();
    }
  };
}
