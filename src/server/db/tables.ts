// The data model; the tables of schedules, integrations and alerts are in their own files.
// Times are ISO texts in UTC, flags 0 or 1, JSON is text.

import type { Generated, Insertable, Selectable } from 'kysely';
import type { SecretType } from '#shared/api/environments.ts';
import type { InventoryType } from '#shared/api/inventories.ts';
import type { KeyType } from '#shared/api/keys.ts';
import type { Role } from '#shared/permissions.ts';
import type { TaskStatus } from '#shared/task-status.ts';
import type { AlertTables } from './alert-tables.ts';
import type { Flag, ResourceColumns } from './columns.ts';
import type { IdentityTables } from './identity-tables.ts';
import type { IntegrationTables } from './integration-tables.ts';
import type { RunnerTables } from './runner-tables.ts';
import type { ScheduleTables } from './schedule-tables.ts';
import type { TemplateTables } from './template-tables.ts';

interface Users {
  id: Generated<number>;
  created: string;
  /** In lower case, like the e-mail address, so that both are unique without regard to case. */
  username: string;
  name: string;
  email: string;
  /** The hash as a PHC string; null for users without a password here. */
  password_hash: string | null;
  admin: Flag;
  /** Whether a rule made the user an administrator, so that rules can end that again. */
  admin_from_rules: Generated<Flag>;
  external: Flag;
  alert: Flag;
  revision: Generated<number>;
  /** The secret of one-time passwords, sealed by the vault; null when none was set up. */
  second_factor_secret: Generated<string | null>;
  /** Since when the sign-in asks for codes; null when it does not. */
  second_factor_since: Generated<string | null>;
  /** The time step of the last accepted code. */
  second_factor_step: Generated<number>;
}

interface RecoveryCodes {
  user_id: number;
  code_hash: string;
}

interface SignInAttempts {
  /** A user, or the hash of a login that does not exist. */
  account: string;
  /** The number of wrong attempts in a row that still count. */
  count: number;
  /** The time of the last attempt that was counted. */
  since: string;
}

interface Sessions {
  id: Generated<number>;
  user_id: number;
  token_hash: string;
  created: string;
  last_active: string;
  expires: string;
  ip: string;
  user_agent: string;
  /** The provider of a session that began at a provider. */
  provider: string | null;
  /** The id token of the provider, sealed; null when the session at the provider need not be ended. */
  id_token: string | null;
}

interface Tokens {
  id: Generated<number>;
  user_id: number;
  name: string;
  scope: string;
  /** The only project of the token; null for all projects of the user. */
  project_id: number | null;
  token_hash: string;
  /** The last characters of the token. */
  hint: string;
  created: string;
  expires: string | null;
  last_used: string | null;
}

interface Projects {
  id: Generated<number>;
  name: string;
  created: string;
  alert: Flag;
  alert_chat: string | null;
  max_parallel_tasks: number;
  /** JSON: the tags for templates of the project that have none. */
  runner_tags: Generated<string>;
  type: string;
  revision: Generated<number>;
}

interface Members {
  project_id: number;
  user_id: number;
  role: Role;
  /** Whether a rule gave the role, so that rules can end it again. */
  from_rules: Generated<Flag>;
}

interface Keys extends ResourceColumns {
  type: KeyType;
  /** The secret, sealed by the vault; null when it is still missing, or the type is `none`. */
  secret: string | null;
}

interface Repositories extends ResourceColumns {
  git_url: string;
  git_branch: string;
  ssh_key_id: number;
}

interface Inventories extends ResourceColumns {
  type: InventoryType;
  inventory: string;
  ssh_key_id: number | null;
  become_key_id: number | null;
  repository_id: number | null;
}

interface Environments extends ResourceColumns {
  json: string;
  env: string;
}

interface EnvironmentSecrets {
  id: Generated<number>;
  project_id: number;
  environment_id: number;
  type: SecretType;
  /** Unique in the environment among the secrets of its type. */
  name: string;
  /** The value, sealed by the vault; empty when it is still missing. */
  secret: string;
}

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
  /** The results of the hosts: JSON of `HostResult[]`. */
  hosts: string | null;
  /** The runner that runs or has run the task; null before it begins. */
  runner_id: number | null;
  /** The name of that runner; empty before it begins. */
  runner_name: Generated<string>;
  /** Increases when the task is assigned to a runner or taken away. A runner with an older lease can no longer write. */
  lease: Generated<number>;
  /** The search column: the texts by which the task is found, in lower case. */
  search: Generated<string>;
}

interface Events {
  id: Generated<number>;
  created: string;
  code: string;
  /** JSON: the parameters of the sentence. */
  params: string;
  /** The project of the event; null for the whole installation. */
  project_id: number | null;
  /** The user who acted; null for no user or a deleted one, whose login stays. */
  user_id: number | null;
  username: string;
  via: string;
  via_id: number | null;
  ip: string;
  object_type: string;
  object_id: number | null;
  object_name: string;
  /** The search column: the texts by which the event is found, in lower case. */
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

/** An administrator's changes of a built-in app, or an added app. */
interface Apps {
  id: string;
  title: string;
  active: Flag;
  priority: number;
  icon: string;
  color: string;
  dark_color: string;
  path: string;
  /** JSON: a list of texts. */
  args: string;
}

/** Values that administrators store for programs of their own. */
interface Options {
  key: string;
  value: string;
}

/** A value that a client keeps for a user; nothing in the server reads it. */
interface UserOptions {
  user_id: number;
  key: string;
  value: string;
}

interface Settings {
  name: string;
  value: string;
}

export interface Tables
  extends
    IntegrationTables,
    ScheduleTables,
    AlertTables,
    IdentityTables,
    RunnerTables,
    TemplateTables {
  users: Users;
  sessions: Sessions;
  recovery_codes: RecoveryCodes;
  sign_in_attempts: SignInAttempts;
  tokens: Tokens;
  projects: Projects;
  members: Members;
  keys: Keys;
  repositories: Repositories;
  inventories: Inventories;
  environments: Environments;
  environment_secrets: EnvironmentSecrets;
  tasks: Tasks;
  task_log_chunks: TaskLogChunks;
  apps: Apps;
  events: Events;
  options: Options;
  user_options: UserOptions;
  settings: Settings;
}

export type Row<Table extends keyof Tables> = Selectable<Tables[Table]>;
export type NewRow<Table extends keyof Tables> = Insertable<Tables[Table]>;
