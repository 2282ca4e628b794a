// The tasks and secrets of a server in memory, and what people do with its tasks. A runner in a test
// reaches them by a runner API and a queue, as it reaches a real server.

import type { RunnerTask, TaskSection } from '#shared/api/runner-api.ts';
import type { LogLine } from '#shared/api/task-log.ts';
import type { Answers } from '#shared/api/task-snapshot.ts';
import type { FailureGroup, RunHost, RunResult } from '#shared/api/run-results.ts';
import type { TaskTools } from '#shared/api/task-changes.ts';
import type { RunPlan } from '#shared/api/task-plan.ts';
import type { TaskProgress } from '#shared/api/tasks.ts';
import type { ConfirmationReason } from '#shared/catalogue/confirmation-reasons.ts';
import type { Failure } from '#shared/catalogue/task-failures.ts';
import { canMove, isFinished, type TaskStatus } from '#shared/task-status.ts';
import type { StopRequest } from '../../src/runner/api/task-queue.ts';
import type { KeyByHost, OpenKey, OpenSecrets } from '../../src/runner/api/run-secrets.ts';
import type { ToldOutput } from '#shared/api/task-outputs.ts';
import type { ToldFacts } from '#shared/host-facts.ts';
import type { Owner } from '../../src/runner/git/mirror-name.ts';

/** A task as the server keeps it. */
export interface StoredTask extends RunnerTask {
  end: string | null;
  commitMessage: string | null;
  lines: LogLine[];
  /** The answers to secret variables. */
  secret: Answers;
  progress: TaskProgress | null;
  /** Whether its program has said that it is a dry run. */
  isDryRun?: boolean;
  /** What became of its hosts, by their names. */
  hosts: Map<string, RunHost>;
  /** The facts of its hosts, by their names. */
  facts: Map<string, ToldFacts['facts']>;
  runResults: RunResult[];
  failures: FailureGroup[];
  /** The programs and requirements of its run; null: the runner has not told. */
  tools: TaskTools | null;
  /** The plays and tasks of its run, by their numbers. */
  sections: Map<number, TaskSection>;
  plan: RunPlan | null;
  outputs: ToldOutput[];
  /** The lines that were shown before their ends. */
  partials: { after: number; output: string }[];
  exitCode: number | null;
  failure: Failure | null;
  /** Why its plan has to be confirmed although it was approved. */
  confirmationReason: ConfirmationReason | null;
  /** Whether the runner has it: it was given to the runner and has neither ended nor been parked. */
  isHeld: boolean;
}

export type NewTask = Pick<StoredTask, 'project_id' | 'template_id' | 'snapshot'> &
  Partial<StoredTask>;

type Listener<T> = (value: T) => void;

export class MemoryStore {
  readonly keys = new Map<number, OpenKey>();
  /** The keys by host, by the id of the project. */
  readonly byHost = new Map<number, KeyByHost[]>();
  /** The secrets of environments, by the id of the environment. */
  readonly secrets = new Map<number, OpenSecrets>();
  /** The keys that runs have used. */
  readonly usedKeys = new Set<number>();
  readonly projects = new Set<number>();
  /** The projects that keep a home folder. */
  readonly homeKeepers = new Set<number>();
  readonly #repositories = new Map<string, number>();
  readonly #tasks = new Map<number, StoredTask>();
  readonly changed = new Set<Listener<number>>();
  readonly stopped = new Set<Listener<StopRequest>>();
  /** Called when repositories or projects have changed. */
  readonly swept = new Set<Listener<void>>();

  get tasks(): StoredTask[] {
    return [...this.#tasks.values()];
  }

  get repositories(): Owner[] {
    return [...this.#repositories].map(([url, repositoryId]) => ({ repositoryId, url }));
  }

  /** The id of the repository at this address, which is new if there is none. */
  repositoryAt(url: string): number {
    const id = this.#repositories.get(url) ?? this.#repositories.size + 1;
    this.#repositories.set(url, id);
    return id;
  }

  /** Forgets a task, as a database does that is older. */
  forget(id: number): void {
    this.#tasks.delete(id);
  }

  removeRepository(url: string): void {
    this.#repositories.delete(url);
    for (const listener of this.swept) listener();
  }

  addKey(key: OpenKey): number {
    const id = this.keys.size + 1;
    this.keys.set(id, key);
    return id;
  }

  add(task: NewTask): StoredTask {
    const id = this.#tasks.size + 1;
    this.projects.add(task.project_id);
    const sections = new Map<number, TaskSection>();
    const facts = new Map<string, ToldFacts['facts']>();
    const hosts = new Map<string, RunHost>();
    const stored = { ...untouched, commands: [], lines: [], sections, hosts, facts, ...task, id };
    this.#tasks.set(id, stored);
    this.change(stored, {});
    return stored;
  }

  find(id: number): StoredTask {
    const found = this.#tasks.get(id);
    if (!found) throw new Error(`There is no task ${id}.`);
    return found;
  }

  change(task: StoredTask, change: Partial<StoredTask>): void {
    Object.assign(task, change);
    for (const listener of this.changed) listener(task.id);
  }

  /** False: its status does not allow the move. */
  move(task: StoredTask, to: TaskStatus, change: Partial<StoredTask> = {}): boolean {
    if (!canMove(task.status, to)) return false;
    const isLeft = to === 'waiting_confirmation' || isFinished(to);
    this.change(task, { ...change, status: to, ...(isLeft && { isHeld: false }) });
    return true;
  }

  /** As a person stops it. The runner hears of it after the answers that it was given before. */
  stop(id: number, force: boolean): void {
    const task = this.find(id);
    this.move(task, task.isHeld ? 'stopping' : 'stopped');
    setImmediate(() => {
      for (const listener of this.stopped) listener({ taskId: id, force });
    });
  }

  /** As a person confirms it. */
  confirm(id: number): void {
    this.move(this.find(id), 'confirmed', { is_confirmed: true });
  }
}

const untouched = {
  lease: 0,
  runner_name: '',
  status: 'waiting',
  start: null,
  end: null,
  version: null,
  commit_hash: null,
  commitMessage: null,
  log_lines: 0,
  spool_offset: 0,
  step: 0,
  is_confirmed: false,
  attempt: 1,
  attempts: 1,
  answers: {},
  secret: {},
  progress: null,
  results: 0,
  runResults: [],
  failures: [],
  tools: null,
  plan: null,
  outputs: [],
  partials: [],
  exitCode: null,
  failure: null,
  confirmationReason: null,
  isHeld: false,
} satisfies Partial<StoredTask>;
