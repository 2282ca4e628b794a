// A real runner, whose server is in memory: for tests of what a runner does with a task.

import { join } from 'node:path';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { onTestFinished } from 'vitest';
import { isFinished, type TaskStatus } from '#shared/task-status.ts';
import type { RunnerApi } from '../../src/runner/api/runner-api.ts';
import { Runner } from '../../src/runner/runs/runner.ts';
import { endRun } from '../../src/runner/supervisor/supervisor.ts';
import type { RunnerConfig } from '../../src/runner/config/runner-config.ts';
import { findStrayWorkspaces } from '../../src/runner/workspace/workspace.ts';
import { watchedLog } from '../helpers/kept-secrets.ts';
import { fakePrograms } from '../helpers/programs.ts';
import { runnerSettings } from '../helpers/runner-settings.ts';
import { until } from '../helpers/until.ts';
import { taskOf, type TaskInput } from './given.ts';
import { createMemoryRunnerApi } from './memory-runner-api.ts';
import { memoryQueue } from './memory-queue.ts';
import { MemoryStore, type StoredTask } from './memory-store.ts';

export interface TestRunnerOptions {
  config?: Partial<RunnerConfig>;
  /** Whether tasks wait until `start`. */
  isWaiting?: boolean;
  /** Whether it stays when the test ends, for tests that share it and close it themselves. */
  shared?: boolean;
  /** Changes the runner API. */
  through?: (runnerApi: RunnerApi) => RunnerApi;
}

/** A task that was launched. */
interface Launched {
  /** The task as it is now. */
  task: StoredTask;
  log: () => string;
  untilLogged: (words: string) => Promise<string>;
  untilStatus: (status: TaskStatus) => Promise<RunnerOutcome>;
  untilFinished: () => Promise<RunnerOutcome>;
  stop: (force?: boolean) => void;
  confirm: () => void;
}

/** What people see of a task. */
interface RunnerOutcome {
  status: TaskStatus;
  log: string;
  commands: string[];
}

export interface TestRunner {
  config: RunnerConfig;
  store: MemoryStore;
  start: () => Promise<void>;
  /** Ends this runner, as a server does with it; then another one begins in its data folder. */
  restart: (between?: () => Promise<void>) => Promise<void>;
  /** Ends it with all its programs, and removes its data. */
  close: () => Promise<void>;
  launch: (given?: TaskInput) => Promise<Launched>;
  /** Launches a task and waits for its end. */
  run: (given?: TaskInput) => Promise<RunnerOutcome & { task: StoredTask }>;
}

/** Starts a runner, which is closed and removed when the test ends, unless it is shared. */
export async function testRunner(options: TestRunnerOptions = {}): Promise<TestRunner> {
  const { shared = false, isWaiting = false, through = (runnerApi) => runnerApi } = options;
  const config = await settingsOf(options);
  const store = new MemoryStore();
  const log = watchedLog();
  const clock = { now: () => new Date() };
  let runner: Runner | null = null;
  const start = async (): Promise<void> => {
    const runnerApi = through(createMemoryRunnerApi(store));
    const next = new Runner({ config, clock, log, runnerApi }, memoryQueue(store));
    runner = next;
    await next.start();
  };
  const end = async (): Promise<void> => runner?.close();
  const close = async (): Promise<void> => {
    await end();
    await removeRuns(config);
    if (shared) await rm(config.dataDir, { recursive: true, force: true });
  };
  if (!shared) onTestFinished(close);
  if (!isWaiting) await start();
  const launch = async (given: TaskInput = {}): Promise<Launched> =>
    launchedOf(store, store.add(await taskOf(store, given)));
  return {
    config,
    store,
    start,
    close,
    launch,
    async restart(between) {
      await end();
      await between?.();
      await start();
    },
    async run(given) {
      const launched = await launch(given);
      return { ...(await launched.untilFinished()), task: launched.task };
    },
  };
}

async function settingsOf({ config, shared }: TestRunnerOptions): Promise<RunnerConfig> {
  const dataDir = shared && { dataDir: await mkdtemp(join(tmpdir(), 'signalbox-runner-')) };
  return runnerSettings({ path: fakePrograms, ...dataDir, ...config });
}

/** Ends the programs that a later runner would take over, because their data is removed. */
async function removeRuns(config: RunnerConfig): Promise<void> {
  for (const run of await findStrayWorkspaces(config, [])) {
    await endRun(run.dir, run.mark);
    await run.remove();
  }
}

function launchedOf(store: MemoryStore, task: StoredTask): Launched {
  const log = (): string => task.lines.map(({ output }) => output).join('\n');
  const seen = (): RunnerOutcome => ({ status: task.status, log: log(), commands: task.commands });
  const untilSeen = async (isReached: () => boolean): Promise<RunnerOutcome> => {
    const isThere = (): RunnerOutcome | false => isReached() && seen();
    return until(isThere, undefined, (wake) => {
      store.changed.add(wake);
      return () => store.changed.delete(wake);
    });
  };
  return {
    task,
    log,
    untilLogged: async (words) => (await untilSeen(() => log().includes(words))).log,
    untilFinished: () => untilSeen(() => isFinished(task.status)),
    untilStatus: (status) =>
      untilSeen(() => {
        if (task.status === status) return true;
        if (!isFinished(task.status)) return false;
        throw new Error(`${task.status} instead of ${status}:\n${log()}`);
      }),
    stop: (force = false) => store.stop(task.id, force),
    confirm: () => store.confirm(task.id),
  };
}
