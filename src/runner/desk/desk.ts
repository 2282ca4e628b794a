// What a run asks of the installation that its task belongs to: secrets, and notes of what becomes
// of it. The server answers this from the database (`server/runner-desk/local-desk.ts`); a runner asks
// the server (`client/desk.ts`). Every note names the lease of the task.

import type { HostResult, TaskProgress } from '#shared/api/tasks.ts';
import type { RunnerConfig } from '../system/config.ts';
import type { Clock } from '../system/clock.ts';
import type { Log } from '../system/log.ts';
import type { RunnerTask } from '#shared/api/runner-desk.ts';
import type { LogLine } from '#shared/api/task-log.ts';
import type { RunKeys } from './secrets.ts';

/** A task, and what shows that it is ours. */
export type HeldTask = Pick<RunnerTask, 'id' | 'project_id' | 'lease'>;

/** What a run works on. */
export interface Commit {
  hash: string;
  message: string;
}

/** Lines of a log that are to be stored. */
export interface NewLines {
  /** Number of the first of them; lines count from 1. */
  from: number;
  lines: LogLine[];
  /** The byte of the spool behind the last of them. */
  spoolOffset: number;
}

/** Whatever lies in a data folder and may belong to nothing any more. */
export interface Found {
  /** What the names of mirrors begin with. */
  mirrors: string[];
  /** Ids of projects. */
  projects: number[];
}

export interface Desk {
  /**
   * Opens every secret of a run before anything starts, so that all of them can be masked. One
   * that was changed after the launch has its new value.
   */
  openKeys: (task: RunnerTask) => Promise<RunKeys>;
  /** Records which keys a run has been given. */
  recordKeys: (task: RunnerTask) => Promise<void>;
  /** False: its present status does not allow that. */
  move: (task: HeldTask, to: 'running' | 'waiting_confirmation') => Promise<boolean>;
  end: (task: HeldTask, to: 'success' | 'error' | 'stopped') => Promise<boolean>;
  /** A command of the run is about to begin. */
  recordStep: (task: HeldTask, step: { step: number; commands: string[] }) => Promise<void>;
  /** What it runs. */
  recordCommit: (task: HeldTask, commit: Commit) => Promise<void>;
  /** Gives a build its version; null: it has none. */
  takeVersion: (task: RunnerTask) => Promise<string | null>;
  /** `hosts` comes once, with the end. */
  recordProgress: (
    task: HeldTask,
    progress: TaskProgress,
    hosts: HostResult[] | null,
  ) => Promise<void>;
  /** Stores lines; settles when they are safe. */
  storeLines: (task: HeldTask, lines: NewLines) => Promise<void>;
  /** How many lines of its log are stored. */
  countLines: (task: HeldTask) => Promise<number>;
  /** Those of what was found that belong to something. */
  sortOut: (found: Found) => Promise<Found>;
}

/** What the code of a run is given: no database, and no key to all secrets. */
export interface RunContext {
  config: RunnerConfig;
  clock: Clock;
  log: Log;
  desk: Desk;
}
