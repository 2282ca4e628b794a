// The interface by which a run asks its installation for secrets and records what happens. The server
// implements it with the database (`server/runner-desk/local-desk.ts`), a runner with requests to the
// server (`client/desk.ts`). Every call about a task names its lease.

import type { HostResult, TaskProgress } from '#shared/api/tasks.ts';
import type { RunnerConfig } from '../system/config.ts';
import type { Clock } from '../system/clock.ts';
import type { Log } from '../system/log.ts';
import type { RunnerTask } from '#shared/api/runner-desk.ts';
import type { LogLine } from '#shared/api/task-log.ts';
import type { RunKeys } from './secrets.ts';

/** A task with the lease that shows that this runner may act for it. */
export type HeldTask = Pick<RunnerTask, 'id' | 'project_id' | 'lease'>;

/** The commit that a run works on. */
export interface Commit {
  hash: string;
  message: string;
}

/** Lines of a log to store. */
export interface NewLines {
  /** The number of the first line; a log begins with line 1. */
  from: number;
  lines: LogLine[];
  /** The byte of the spool behind the last line. */
  spoolOffset: number;
}

/** What was found in a data folder and may belong to nothing any more. */
export interface Found {
  /** The beginnings of the names of mirrors. */
  mirrors: string[];
  /** Ids of projects. */
  projects: number[];
}

export interface Desk {
  /**
   * Opens all secrets of a run before its first program starts, so that all of them can be masked.
   * A secret that was changed after the launch has its new value.
   */
  openKeys: (task: RunnerTask) => Promise<RunKeys>;
  /** Records which keys the run uses. */
  recordKeys: (task: RunnerTask) => Promise<void>;
  /** Changes the status; false: the current status does not allow it. */
  move: (task: HeldTask, to: 'running' | 'waiting_confirmation') => Promise<boolean>;
  end: (task: HeldTask, to: 'success' | 'error' | 'stopped') => Promise<boolean>;
  /** Records that a step of the run is about to begin. */
  recordStep: (task: HeldTask, step: { step: number; commands: string[] }) => Promise<void>;
  /** Records the commit that the run works on. */
  recordCommit: (task: HeldTask, commit: Commit) => Promise<void>;
  /** Gives a build its version and answers it; null: the task has no version. */
  takeVersion: (task: RunnerTask) => Promise<string | null>;
  /** Records the progress. `hosts` is given once, at the end of the run. */
  recordProgress: (
    task: HeldTask,
    progress: TaskProgress,
    hosts: HostResult[] | null,
  ) => Promise<void>;
  /** Stores lines; settles when they are stored. */
  storeLines: (task: HeldTask, lines: NewLines) => Promise<void>;
  /** How many lines of the task's log are stored. */
  countLines: (task: HeldTask) => Promise<number>;
  /** Answers which of the mirrors and projects found still exist. */
  sortOut: (found: Found) => Promise<Found>;
}

/** What the code of a run can use: neither the database nor the master key. */
export interface RunContext {
  config: RunnerConfig;
  clock: Clock;
  log: Log;
  desk: Desk;
}
