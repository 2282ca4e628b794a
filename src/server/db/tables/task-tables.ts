// The tables of tasks and their logs.

import type { Generated } from 'kysely';
import type { TaskStatus } from '#shared/task-status.ts';
import type { Flag } from './columns.ts';

interface Tasks {
  id: Generated<number>;
  project_id: number;
  template_id: number;
  status: TaskStatus;
  created: string;
  start: string | null;
  end: string | null;
  user_id: number | null;
  /** The schedule or integration that launched the task, if no user did. */
  schedule_id: number | null;
  integration_id: number | null;
  message: string;
  version: string | null;
  build_task_id: number | null;
  confirmed_by: number | null;
  confirmed_at: string | null;
  commit_hash: string | null;
  commit_message: Generated<string>;
  environment: string;
  /** The answers to secret survey variables, sealed; deleted when the task ends. */
  secret: string | null;
  /** JSON: the names of those variables; null: not known. */
  secret_answers: string | null;
  debug: Flag;
  /** How verbose `debug` makes Ansible; 0 for the default. */
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
  /** The first attempt, if this task is a retry; null otherwise. */
  retry_of: number | null;
  /** The task whose hosts this one was asked to run again on; null: none was. */
  rerun_of: number | null;
  /** The hosts to which the task is confined: JSON of `OnlyHosts`; null: to those of its limit. */
  only_hosts: string | null;
  /** The run of a workflow in which the task is a node, and the key of the node; null for none. */
  workflow_run_id: Generated<number | null>;
  workflow_node: Generated<string | null>;
  /** The number of this attempt, and the most attempts there can be. */
  attempt: Generated<number>;
  attempts: Generated<number>;
  /** The earliest time at which a waiting task may start; null for at once. */
  not_before: string | null;
  /** The snapshot from the launch: JSON of `TaskSnapshot`. */
  snapshot: string;
  log_lines: Generated<number>;
  /** The number of the current command, counted from 1; 0 before the first one. */
  step: Generated<number>;
  /** JSON: the commands as one would type them, with secrets hidden. */
  commands: Generated<string>;
  /** The stored size of the log in bytes, known when the task has ended. */
  log_bytes: Generated<number>;
  /** Whether the log was removed to limit the space of all logs. */
  log_removed: Generated<Flag>;
  /** The position in the command's spool after the stored lines, in bytes. */
  spool_offset: Generated<number>;
  /** The expected duration in seconds, from earlier tasks. */
  expected_s: number | null;
  /** The progress: JSON of `TaskProgress`. */
  progress: string | null;
  /** Where servers of earlier versions keep what `task_hosts` has. */
  hosts: string | null;
  /** The number of stored results of its run. */
  results: Generated<number>;
  /** The failures of its run by their cause: JSON of `FailureGroup[]`. */
  failures: string | null;
  /** The programs and requirements that it ran with: JSON of `TaskTools`; null: not known. */
  tools: Generated<string | null>;
  /** When the secrets that it was given had been set: JSON of `UsedSecrets`; null: not known. */
  used_secrets: Generated<string | null>;
  /** How many resources its plan changes: JSON of `PlanCounts`. */
  plan: string | null;
  /** The exit code of the last command; null: none has ended. */
  exit_code: number | null;
  /** Why the task failed: JSON of `Failure`. */
  failure: string | null;
  /** Why its plan has to be confirmed although it was approved: JSON of `ConfirmationReason`. */
  confirmation_reason: Generated<string | null>;
  /** The runner that runs or has run the task; null before it begins. */
  runner_id: number | null;
  /** The name of that runner; empty before it begins. */
  runner_name: Generated<string>;
  /** Increases when the task is assigned to a runner or taken away. A runner with an older lease can no longer write. */
  lease: Generated<number>;
  /** The header `traceparent` of the request that launched it; null: it had none. */
  traceparent: Generated<string | null>;
  /** When parts of the run began, for its trace: `name=time;` for each; null: none is known. */
  marks: Generated<string | null>;
  /** The search column: the texts by which the task is found, in lower case. */
  search: Generated<string>;
}

interface TaskLogChunks {
  task_id: number;
  /** The number of its first line; lines count from 1. */
  first_line: number;
  lines: number;
  /** The size of the text before compression, in bytes. */
  bytes: number;
  /** The time of the first line; the other lines have milliseconds since then. */
  time: string;
  data: Buffer;
}

/** The plays and tasks of an Ansible run, as its callback has reported them. */
interface TaskSections {
  task_id: number;
  /** Its number in the run, from 1. */
  number: number;
  /** The line of the log at which it begins. */
  line: number;
  kind: 'play' | 'task' | 'handler' | 'recap';
  name: string;
  /** The number of the first section with the same task of the same play. */
  first: Generated<number>;
  /** The module or action of Ansible, and the role that the task comes from; empty for none. */
  module: Generated<string>;
  role: Generated<string>;
  /** Where the task stands in the files of the repository. */
  path: string | null;
  file_line: number | null;
  /** When it began on its first host, and when its last result came. */
  begin: string | null;
  end: string | null;
  /** The number of hosts by their most severe result. */
  ok: number;
  changed: number;
  skipped: number;
  failed: number;
  unreachable: number;
  ignored: number;
  rescued: number;
}

/** What became of the hosts of a run: the number of Ansible tasks by their outcome. */
interface TaskHosts {
  task_id: number;
  /** That of the task, for the history of a host. */
  project_id: number;
  host: string;
  ok: number;
  changed: number;
  unreachable: number;
  failed: number;
  skipped: number;
  rescued: number;
  ignored: number;
  begin: string | null;
  end: string | null;
  duration_ms: Generated<number>;
  /** JSON of the first failure; null: no task has failed on the host. */
  first_failure: string | null;
  /** The facts that the host had in the run; null: the run has told none. */
  fact_set_id: number | null;
}

/** The results of a run in compressed pieces, each with a range of results. */
interface TaskResultChunks {
  task_id: number;
  /** The number of its first result; results count from 1. */
  first_result: number;
  results: number;
  /** The lowest and the highest number of the sections of its results. */
  first_section: number;
  last_section: number;
  /** The size of the text before compression, in bytes. */
  bytes: number;
  data: Buffer;
}

/** What the plan of a task does to each resource. */
interface TaskPlans {
  task_id: number;
  /** Whether these are all changes of the plan. */
  is_complete: Flag;
  /** Whether the plan covers all of the configuration; null: not known. */
  is_whole: Generated<Flag | null>;
  /** JSON of the changes, compressed. */
  data: Buffer;
}

/** Facts of hosts as runs have told them; runs with the same ones share a row. */
interface FactSets {
  id: Generated<number>;
  project_id: number;
  /** SHA-256 of the facts, in hexadecimal. */
  hash: string;
  /** JSON of the values by the names of the facts. */
  facts: string;
}

/** What a task hands on, in one row. */
interface TaskOutputs {
  id: Generated<number>;
  task_id: number;
  project_id: number;
  /** JSON of `TaskOutput[]`. */
  outputs: string;
  /** JSON of pairs of a name and the JSON of its secret value, sealed; null: there are none. */
  secrets: string | null;
}

/** What still has to follow from the end of a task; the row is deleted with the last of it. */
interface TaskFollowUps {
  task_id: number;
  /** When it is tried again. */
  due: string;
  /** The names of what is done already, with commas between them, where something else of it has failed. */
  done: Generated<string>;
  /** How often it was tried in vain. */
  attempts: Generated<number>;
  /** Why it failed last; null: it has not failed. */
  error: string | null;
}

export interface TaskTables {
  task_follow_ups: TaskFollowUps;
  task_outputs: TaskOutputs;
  fact_sets: FactSets;
  task_plans: TaskPlans;
  tasks: Tasks;
  task_log_chunks: TaskLogChunks;
  task_sections: TaskSections;
  task_hosts: TaskHosts;
  task_result_chunks: TaskResultChunks;
}
