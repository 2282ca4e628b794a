// The API by which a run requests its secrets and reports what happens. It is
// implemented with HTTP requests to the server (`client/http-runner-api.ts`). Every call about a task
// contains its lease.

import type { ToldFacts } from '#shared/host-facts.ts';
import type { FailureGroup, RunHost, RunResult } from '#shared/api/run-results.ts';
import type { ToldOutput } from '#shared/api/task-outputs.ts';
import type { RunPlan } from '#shared/api/task-plan.ts';
import type { TaskProgress } from '#shared/api/tasks.ts';
import type { TaskTools } from '#shared/api/task-changes.ts';
import type { ConfirmationReason } from '#shared/catalogue/confirmation-reasons.ts';
import type { Failure } from '#shared/catalogue/task-failures.ts';
import type { RunnerConfig } from '../config/runner-config.ts';
import type { Clock } from '../../node/async/clock.ts';
import type { Log } from '../../node/log/log.ts';
import type { RunnerTask, TaskSection } from '#shared/api/runner-api.ts';
import type { LogLine } from '#shared/api/task-log.ts';
import type { RunKeys } from './run-secrets.ts';

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

/** How a run has ended. */
export interface RunEnd {
  to: 'success' | 'error' | 'stopped';
  /** The exit code of the last command; null: none has ended. */
  exitCode: number | null;
  /** Why it failed, or what a success lacks; null: nothing is to be said. */
  failure: Failure | null;
}

export interface TemplateRef {
  project_id: number;
  template_id: number;
}

/** What was found in a data folder and may belong to nothing any more. */
export interface DataFolderContents {
  /** The beginnings of the names of mirrors. */
  mirrors: string[];
  /** Ids of projects. */
  projects: number[];
  /** Ids of projects of which a home folder is kept. */
  homes: number[];
  /** The templates of which states of Terraform are kept; a server of an earlier version knows none. */
  states?: TemplateRef[] | undefined;
}

/** A step that is about to begin; it counts from 1. */
export interface StepStart {
  step: number;
  commands: string[];
  /** The lines before the step; null: they are stored already. */
  log?: NewLines | null;
}

export interface RunnerApi {
  /**
   * Opens all secrets of a run before its first program starts, so that all of them can be masked.
   * A secret that was changed after the launch has its new value.
   */
  openKeys: (task: RunnerTask) => Promise<RunKeys>;
  /** Records which keys the run uses. */
  recordKeys: (task: RunnerTask) => Promise<void>;
  /**
   * Parks the task; false: it was told to stop. `why` says why somebody has to confirm what was approved
   * otherwise.
   */
  park: (task: HeldTask, why: ConfirmationReason | null) => Promise<boolean>;
  end: (task: HeldTask, end: RunEnd) => Promise<boolean>;
  /**
   * Records that a step of the run is about to begin, and with the first one that the task runs. What
   * comes with it is stored together with it, or not at all. False: the task was told to stop.
   */
  beginStep: (task: HeldTask, step: StepStart) => Promise<boolean>;
  /** Records the commit that the run works on. */
  recordCommit: (task: HeldTask, commit: Commit) => Promise<void>;
  /** Records the programs and requirements that the run uses, with their versions. */
  recordTools: (task: HeldTask, tools: TaskTools) => Promise<void>;
  /** Gives a build its version and returns it; null: the task has no version. */
  assignVersion: (task: RunnerTask) => Promise<string | null>;
  /** `isDryRun`: whether the program says that this is a dry run. */
  recordProgress: (task: HeldTask, progress: TaskProgress, isDryRun: boolean) => Promise<void>;
  /** Records plays and tasks that are new or have changed. */
  recordSections: (task: HeldTask, sections: TaskSection[]) => Promise<void>;
  /** Records what became of hosts that have new results. */
  recordHosts: (task: HeldTask, hosts: RunHost[]) => Promise<void>;
  /** Records the facts that hosts have in the run; the hosts are told already. */
  recordFacts: (task: HeldTask, hosts: ToldFacts[]) => Promise<void>;
  /** Replaces the failures of the run by their cause. */
  recordFailures: (task: HeldTask, failures: FailureGroup[]) => Promise<void>;
  /**
   * Stores results, of which the first has the number `from`; those that are stored already are
   * passed over. False: there is a gap before the first one.
   */
  storeResults: (task: HeldTask, from: number, results: RunResult[]) => Promise<boolean>;
  /** Records what a plan of Terraform does, in place of an earlier one. */
  recordPlan: (task: HeldTask, plan: RunPlan) => Promise<void>;
  /** Replaces what the run has handed on by name. */
  recordOutputs: (task: HeldTask, outputs: ToldOutput[]) => Promise<void>;
  /** Shows the last line of the log before its end; it is not stored. */
  sendPartialLine: (task: HeldTask, partial: { after: number; output: string }) => Promise<void>;
  /** Stores lines; settles when they are stored. */
  storeLines: (task: HeldTask, lines: NewLines) => Promise<void>;
  /** How many lines of the task's log are stored. */
  countLines: (task: HeldTask) => Promise<number>;
  /** Returns which of the mirrors and projects found still exist, and which projects still keep a home folder. */
  filterExisting: (found: DataFolderContents) => Promise<DataFolderContents>;
}

/** What the code of a run can use: neither the database nor the master key. */
export interface RunContext {
  config: RunnerConfig;
  clock: Clock;
  log: Log;
  runnerApi: RunnerApi;
}
