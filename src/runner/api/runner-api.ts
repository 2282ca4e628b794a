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

/** A task with the lease by which this runner may act for it. */
export type HeldTask = Pick<RunnerTask, 'id' | 'project_id' | 'lease'>;

export interface Commit {
  hash: string;
  message: string;
}

export interface NewLines {
  /** The number of the first line; a log begins with line 1. */
  from: number;
  lines: LogLine[];
  /** The byte of the spool behind the last line. */
  spoolOffset: number;
}

export interface RunEnd {
  to: 'success' | 'error' | 'stopped';
  /** The exit code of the last command; null: none has ended. */
  exitCode: number | null;
  /** Why it failed, or what a success lacks; null: no remark. */
  failure: Failure | null;
}

export interface TemplateRef {
  project_id: number;
  template_id: number;
}

/** What was found in a data folder and may belong to deleted projects, repositories or templates. */
export interface DataFolderContents {
  /** Prefixes of the names of mirrors. */
  mirrors: string[];
  projects: number[];
  /** Ids of projects of which a home folder is kept. */
  homes: number[];
  /** The templates of which states of Terraform are kept; absent from a server of an earlier version. */
  states?: TemplateRef[] | undefined;
}

/** A step that is about to begin; steps are numbered from 1. */
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
  openKeys: (task: Pick<RunnerTask, 'id' | 'lease' | 'sealed'>) => Promise<RunKeys>;
  /** Records which keys the run uses. */
  recordKeys: (task: RunnerTask) => Promise<void>;
  /** Parks the task; false: a stop was requested. `why`: why a task that was approved must be confirmed again. */
  park: (task: HeldTask, why: ConfirmationReason | null) => Promise<boolean>;
  end: (task: HeldTask, end: RunEnd) => Promise<boolean>;
  /**
   * Records that a step is about to begin; the first one also changes the task's status to running. The step
   * and its lines are stored in one transaction. False: a stop was requested.
   */
  beginStep: (task: HeldTask, step: StepStart) => Promise<boolean>;
  recordCommit: (task: HeldTask, commit: Commit) => Promise<void>;
  /** Records the versions of the programs and requirements that the run uses. */
  recordTools: (task: HeldTask, tools: TaskTools) => Promise<void>;
  /** Assigns a build its version and returns it; null: the task has no version. */
  assignVersion: (task: RunnerTask) => Promise<string | null>;
  /** `isDryRun`: whether the program reports a dry run. */
  recordProgress: (task: HeldTask, progress: TaskProgress, isDryRun: boolean) => Promise<void>;
  /** Records plays and tasks that are new or have changed. */
  recordSections: (task: HeldTask, sections: TaskSection[]) => Promise<void>;
  /** Records the states of hosts that have new results. */
  recordHosts: (task: HeldTask, hosts: RunHost[]) => Promise<void>;
  /** Records gathered facts; the hosts were reported before. */
  recordFacts: (task: HeldTask, hosts: ToldFacts[]) => Promise<void>;
  /** Replaces the failures of the run, grouped by cause. */
  recordFailures: (task: HeldTask, failures: FailureGroup[]) => Promise<void>;
  /** Stores results from the number `from` on; skips those already stored. False: earlier results are missing. */
  storeResults: (task: HeldTask, from: number, results: RunResult[]) => Promise<boolean>;
  /** Replaces the plan of Terraform. */
  recordPlan: (task: HeldTask, plan: RunPlan) => Promise<void>;
  /** Replaces the outputs of the run. */
  recordOutputs: (task: HeldTask, outputs: ToldOutput[]) => Promise<void>;
  /** Shows the unfinished last line of the log; it is not stored. */
  sendPartialLine: (task: HeldTask, partial: { after: number; output: string }) => Promise<void>;
  storeLines: (task: HeldTask, lines: NewLines) => Promise<void>;
  countLines: (task: HeldTask) => Promise<number>;
  /** Returns those of the mirrors, projects, homes and states that still exist. */
  filterExisting: (found: DataFolderContents) => Promise<DataFolderContents>;
}

/** What the code of a run may use: neither the database nor the master key. */
export interface RunContext {
  config: RunnerConfig;
  clock: Clock;
  log: Log;
  runnerApi: RunnerApi;
}
