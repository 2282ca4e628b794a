import type { Generated } from 'kysely';
import type { ExecutionKind } from '#shared/api/execution-environments.ts';
import type { ResultState } from '#shared/api/run-results.ts';
import type { TaskStatus } from '#shared/task-status.ts';
import type { Flag } from './columns.ts';

export interface TaskTables {
  /** Pending follow-ups of the end of a task. */
  task_follow_ups: {
    task_id: number;
    due: string;
    /** Names of completed parts, separated by commas. */
    done: Generated<string>;
    attempts: Generated<number>;
    error: string | null;
  };
  task_outputs: {
    id: Generated<number>;
    task_id: number;
    project_id: number;
    /** JSON of `TaskOutput[]`. */
    outputs: string;
    /** Sealed JSON of pairs of name and JSON value. */
    secrets: string | null;
  };
  /** Deduplicated facts of hosts. */
  fact_sets: {
    id: Generated<number>;
    project_id: number;
    /** SHA-256 in hex. */
    hash: string;
    /** JSON of values by name. */
    facts: string;
  };
  task_plans: {
    task_id: number;
    is_complete: Flag;
    /** Whether it covers the whole configuration; null: unknown. */
    is_whole: Generated<Flag | null>;
    data: Buffer;
  };
  tasks: {
    id: Generated<number>;
    project_id: number;
    template_id: number;
    status: TaskStatus;
    created: string;
    start: string | null;
    end: string | null;
    user_id: number | null;
    schedule_id: number | null;
    integration_id: number | null;
    message: string;
    version: string | null;
    build_task_id: number | null;
    confirmed_by: number | null;
    confirmed_at: string | null;
    /** Who has launched it under a grant that asks for a second person; null: anybody may confirm it. */
    not_confirmed_by: Generated<number | null>;
    commit_hash: string | null;
    commit_message: Generated<string>;
    environment: string;
    /** Sealed secret answers; deleted when the task ends. */
    secret: string | null;
    /** JSON: their names; null: unknown. */
    secret_answers: string | null;
    debug: Flag;
    /** Verbosity of Ansible; 0 for the default. */
    debug_level: Generated<number>;
    dry_run: Flag;
    diff: Flag;
    auto_approve: Generated<Flag>;
    playbook: string;
    arguments: string | null;
    git_branch: string | null;
    limit: string;
    tags: string;
    skip_tags: string;
    inventory_id: number | null;
    /** Chosen by the launch, even a deleted one; null: that of the template or project. */
    execution_environment_id: Generated<number | null>;
    /** The kind of its execution environment, which restricts its runners. */
    execution_kind: Generated<ExecutionKind>;
    /** The first attempt, for a retry. */
    retry_of: number | null;
    /** The task whose hosts are run again. */
    rerun_of: number | null;
    /** JSON of `OnlyHosts`, a restriction to hosts. */
    only_hosts: string | null;
    /** The workflow run and the key of its node. */
    workflow_run_id: Generated<number | null>;
    workflow_node: Generated<string | null>;
    attempt: Generated<number>;
    attempts: Generated<number>;
    /** Earliest start; null: at once. */
    not_before: string | null;
    /** JSON of `TaskSnapshot`. */
    snapshot: string;
    log_lines: Generated<number>;
    /** The current command, from 1; 0 before the first. */
    step: Generated<number>;
    /** JSON: the command lines, with secrets hidden. */
    commands: Generated<string>;
    /** The compressed size, set at the end. */
    log_bytes: Generated<number>;
    log_removed: Generated<Flag>;
    /** Bytes of the command's spool that are stored. */
    spool_offset: Generated<number>;
    /** In seconds, estimated from earlier tasks. */
    expected_s: number | null;
    /** JSON of `TaskProgress`. */
    progress: string | null;
    /** Written by earlier versions in place of `task_hosts`. */
    hosts: string | null;
    results: Generated<number>;
    /** JSON of `FailureGroup[]`. */
    failures: string | null;
    /** JSON of `TaskTools`; null: unknown. */
    tools: Generated<string | null>;
    /** JSON of `UsedSecrets`; null: unknown. */
    used_secrets: Generated<string | null>;
    /** JSON of `PlanCounts`. */
    plan: string | null;
    /** Of the last command; null: none has ended. */
    exit_code: number | null;
    /** JSON of `Failure`. */
    failure: string | null;
    /** JSON of `ConfirmationReason`, for a plan that needs another confirmation. */
    confirmation_reason: Generated<string | null>;
    /** Null before the start. */
    runner_id: number | null;
    /** Empty before the start. */
    runner_name: Generated<string>;
    /** Incremented by each assignment and revocation; writes with an older lease are rejected. */
    lease: Generated<number>;
    /** Of the launching request. */
    traceparent: Generated<string | null>;
    /** Begin times of trace spans: `name=time;`. */
    marks: Generated<string | null>;
    search: Generated<string>;
  };
  task_log_chunks: {
    task_id: number;
    /** From 1. */
    first_line: number;
    lines: number;
    /** The size of the text before compression, in bytes. */
    bytes: number;
    /** Of the first line; others have offsets in milliseconds. */
    time: string;
    data: Buffer;
  };
  /** Plays and tasks of an Ansible run, as reported by our callback, with hosts by their most severe result. */
  task_sections: Record<ResultState, number> & {
    task_id: number;
    /** Number in the run, from 1. */
    number: number;
    line: number;
    kind: 'play' | 'task' | 'handler' | 'recap';
    name: string;
    /** The first section of the same task of the same play. */
    first: Generated<number>;
    /** Module and role; empty for none. */
    module: Generated<string>;
    role: Generated<string>;
    path: string | null;
    file_line: number | null;
    begin: string | null;
    end: string | null;
  };
  task_hosts: Record<ResultState, number> & {
    task_id: number;
    project_id: number;
    host: string;
    begin: string | null;
    end: string | null;
    duration_ms: Generated<number>;
    /** JSON; null: no failure. */
    first_failure: string | null;
    /** Null: no facts reported. */
    fact_set_id: number | null;
  };
  task_result_chunks: {
    task_id: number;
    /** From 1. */
    first_result: number;
    results: number;
    first_section: number;
    last_section: number;
    /** The size of the text before compression, in bytes. */
    bytes: number;
    data: Buffer;
  };
}
