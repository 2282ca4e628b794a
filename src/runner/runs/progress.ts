// What a program tells of its progress: lines of JSON in a file of the run's folder, each the whole
// state. A server that comes back reads the file anew.

import { open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { hostResult, taskProgress } from '#shared/api/tasks.ts';
import type { RunnerTask } from '#shared/api/runner-desk.ts';
import type { RunContext } from '../desk/desk.ts';
import { createLineSplitter } from '../log/lines.ts';
import type { Mask } from '../log/mask.ts';
import { progressFile } from '../workspace/workspace.ts';

/** Milliseconds between two looks. */
const pause = 1000;
const readSize = 64 * 1024;
const longestName = 250;
const mostHosts = 5000;
/** Bytes; longer lines are cut, so that nothing can be made of them. */
const longestLine = 2 * 1024 * 1024;

const told = taskProgress.extend({ hosts: z.array(hostResult).optional() });

export interface ProgressFollower {
  /** Settles when the last of it has been recorded. */
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
      await delay(pause, undefined, { signal: over.signal }).catch(() => undefined);
    }
    await look();
  };
  // Progress is for the eye: a task must not fail because of it.
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

/** The program may write what it likes into the file. */
function parse(line: string): z.output<typeof told> | null {
  try {
    const state = JSON.parse(line) as { hosts?: unknown };
    // What is wrong with each of a million hosts would take long to say.
    const hosts = Array.isArray(state.hosts) ? state.hosts.slice(0, mostHosts) : undefined;
    return told.parse({ ...state, hosts });
  } catch {
    return null;
  }
}

/** Answers the newest line each time, or null when there is none that is new. */
function createReader(path: string): () => Promise<string | null> {
  const splitter = createLineSplitter(longestLine);
  const buffer = Buffer.allocUnsafe(readSize);
  let position = 0;
  return async () => {
    const file = await open(path, 'r').catch(() => null);
    if (!file) return null;
    let newest: string | null = null;
    try {
      for (;;) {
        const { bytesRead } = await file.read(buffer, 0, readSize, position);
        if (bytesRead === 0) return newest;
        position += bytesRead;
        newest = splitter.push(buffer.subarray(0, bytesRead)).at(-1) ?? newest;
      }
    } finally {
      await file.close();
    }
  };
}
