// What a run asks of the installation that its task belongs to: secrets, and notes of what becomes
// of it. A server with the database answers this itself (`local-desk.ts`); a runner without one asks
// a server (`../remote/remote-desk.ts`). Every note names the lease of the task.

import type { HostResult, TaskProgress } from '#shared/api/tasks.ts';
import type { Config } from '../server/config.ts';
import type { Clock } from '../server/context.ts';
import type { OpenSecrets } from '../server/environments/environments.ts';
import type { OpenKey } from '../server/keys/keys.ts';
import type { Log } from './system/log.ts';
import type { ClaimedTask } from '../server/tasks/claim.ts';
import type { Answers } from '../server/tasks/survey.ts';
import type { Commit } from './git/mirror.ts';
import type { PendingLines } from '../server/tasks/log-chunks.ts';

export interface RunKeys {
  repository: OpenKey;
  inventoryRepository: OpenKey;
  user: OpenKey;
  become: OpenKey;
  vaults: OpenKey[];
  /** The secrets of the environment. */
  environment: OpenSecrets;
  /** Answers to secret variables of the survey. */
  answers: Answers;
}

/** A task, and what shows that it is ours. */
export type HeldTask = Pick<ClaimedTask, 'id' | 'project_id' | 'lease'>;

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
  openKeys: (task: ClaimedTask) => Promise<RunKeys>;
  /** Records which keys a run has been given. */
  recordKeys: (task: ClaimedTask) => Promise<void>;
  /** False: its present status does not allow that. */
  move: (task: HeldTask, to: 'running' | 'waiting_confirmation') => Promise<boolean>;
  end: (task: HeldTask, to: 'success' | 'error' | 'stopped') => Promise<boolean>;
  /** A command of the run is about to begin. */
  recordStep: (task: HeldTask, step: { step: number; commands: string[] }) => Promise<void>;
  /** What it runs. */
  recordCommit: (task: HeldTask, commit: Commit) => Promise<void>;
  /** Gives a build its version; null: it has none. */
  takeVersion: (task: ClaimedTask) => Promise<string | null>;
  /** `hosts` comes once, with the end. */
  recordProgress: (
    task: HeldTask,
    progress: TaskProgress,
    hosts: HostResult[] | null,
  ) => Promise<void>;
  /** Stores lines; settles when they are safe. `spoolOffset`: the byte of the spool behind them. */
  storeLines: (task: HeldTask, lines: PendingLines, spoolOffset: number) => Promise<void>;
  /** How many lines of its log are stored. */
  countLines: (task: HeldTask) => Promise<number>;
  /** Those of what was found that belong to something. */
  sortOut: (found: Found) => Promise<Found>;
}

/** What the code of a run is given: no database, and no key to all secrets. */
export interface RunContext {
  config: Config;
  clock: Clock;
  log: Log;
  desk: Desk;
}
