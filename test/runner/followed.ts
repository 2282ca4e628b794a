// Follows the progress of a run that a test has written, with a runner API in memory.

import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunResult } from '#shared/api/run-results.ts';
import { logOf, watchedLog } from '../helpers/kept-secrets.ts';
import { runnerSettings } from '../helpers/runner-settings.ts';
import { folder } from '../helpers/seed.ts';
import { taskOf } from './given.ts';
import { createMemoryRunnerApi } from './memory-runner-api.ts';
import { memoryQueue } from './memory-queue.ts';
import { MemoryStore, type StoredTask } from './memory-store.ts';
import type { RunnerApi } from '../../src/runner/api/runner-api.ts';
import { createGrowingMask } from '../../src/runner/log/mask.ts';
import { followProgress } from '../../src/runner/progress/follow-progress.ts';

const time = Date.parse('2026-05-01T10:00:00.000Z');

/** Events of the callback. */
export const play = { event: 'play', name: 'Play', at: 0, printed: 0 };
export const taskEvent = (name: string, more = {}) => ({
  event: 'task',
  name,
  at: 0,
  printed: 0,
  id: name,
  time,
  module: 'command',
  role: '',
  path: '/run/files/roles/web/tasks/main.yml',
  file_line: 4,
  ...more,
});
export const resultEvent = (host: string, state = 'ok', more = {}) => ({
  event: 'result',
  host,
  state,
  changed: false,
  at: 0,
  printed: 0,
  time,
  begin: time - 5,
  ms: 5,
  ...more,
});

interface Followed {
  task: StoredTask;
  warnings: string[];
  sent: number[];
  /** Whether the next runner has to tell the rest. */
  isLeft: boolean;
}

interface Options {
  secrets?: string[];
  spool?: string;
  /** How many results are stored already. */
  results?: RunResult[];
  /** The size of the file behind which it is not followed any more. */
  mostFileBytes?: number;
  /** Changes the runner API. */
  through?: (runnerApi: RunnerApi) => RunnerApi;
  /** Fires when the run is left to the next runner. */
  detached?: AbortSignal;
}

/** Writes the lines into the file of a run that has ended, and follows it. */
export async function follow(lines: (object | string)[], options: Options = {}): Promise<Followed> {
  const dir = await folder();
  const spool = join(dir, 'spool');
  await writeFile(spool, options.spool ?? '');
  for (const line of lines) {
    const text = typeof line === 'string' ? line : `${JSON.stringify(line)}\n`;
    await appendFile(join(dir, 'progress'), text);
  }
  const store = new MemoryStore();
  const stored = store.add(await taskOf(store, { repository: '/srv/code' }));
  const known = options.results ?? [];
  store.change(stored, { runResults: known, results: known.length });
  const log = watchedLog();
  const printed = logOf(log);
  const sent: number[] = [];
  const { through = (runnerApi) => runnerApi } = options;
  const runnerApi = through(createMemoryRunnerApi(store));
  const counted: RunnerApi = {
    ...runnerApi,
    storeResults(task, from, results) {
      sent.push(results.length);
      return runnerApi.storeResults(task, from, results);
    },
  };
  const ctx = {
    config: await runnerSettings({}),
    clock: { now: () => new Date() },
    log,
    runnerApi: counted,
  };
  let isLeft = false;
  for await (const task of memoryQueue(store).receive([])) {
    const follower = followProgress(ctx, task, {
      ...createGrowingMask(options.secrets ?? []),
      folder: dir,
      checkout: '/run/files',
      spool,
      from: 0,
      lines: 0,
      isAway: (error) => error instanceof Away,
      detached: options.detached ?? new AbortController().signal,
      ...(options.mostFileBytes !== undefined && { mostFileBytes: options.mostFileBytes }),
    });
    isLeft = (await follower.end()) === null;
  }
  const warnings = printed()
    .split('\n')
    .filter((line) => line.includes('"level":"warn"'))
    .map((line) => (JSON.parse(line) as { msg: string }).msg);
  return { task: stored, warnings, sent, isLeft };
}

/** Cannot reach the server. */
export class Away extends Error {}
