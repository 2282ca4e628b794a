// The data model; schedules, integrations and alerts stand in files of their own.
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

interface Users {
  id: Generated<number>;
  created: string;
  /** Lower case, as is the e-mail address: both are unique without regard to case. */
  username: string;
  name: string;
  email: string;
  /** PHC text; null for external users. */
  password_hash: string | null;
  admin: Flag;
  /** A rule made an administrator of them, and so can take it back. */
  admin_from_rules: Generated<Flag>;
  external: Flag;
  alert: Flag;
  revision: Generated<number>;
  /** Of one-time passwords, sealed by the vault; null: none was set up. */
  second_factor_secret: Generated<string | null>;
  /** Since when codes are asked for; null: they are not. */
  second_factor_since: Generated<string | null>;
  /** The last time step of which a code was taken. */
  second_factor_step: Generated<number>;
}

interface RecoveryCodes {
  user_id: number;
  code_hash: string;
}

interface SignInAttempts {
  /** A user, or the hash of a name that nobody has. */
  account: string;
  /** Wrong ones in a row, as far as they count. */
  count: number;
  /** Of the last one that counted. */
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
  /** Of whoever signed in elsewhere. */
  provider: string | null;
  /** What the provider knows the sign-in by, sealed; null: nothing has to be ended there. */
  id_token: string | null;
}

interface Tokens {
  id: Generated<number>;
  user_id: number;
  name: string;
  scope: string;
  /** null: all projects of the user. */
  project_id: number | null;
  token_hash: string;
  /** Its last letters. */
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
  /** JSON: the list of its templates that have none. */
  runner_tags: Generated<string>;
  type: string;
  revision: Generated<number>;
}

interface Members {
  project_id: number;
  user_id: number;
  role: Role;
  /** A rule gave the role, and so can take it back. */
  from_rules: Generated<Flag>;
}

interface Keys extends ResourceColumns {
  type: KeyType;
  /** Sealed by the vault; null: yet to be given, or type `none`. */
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
  /** Unique among those of its type in the environment. */
  name: string;
  /** Sealed by the vault; empty: yet to be given. */
  secret: string;
}

interface Views {
  id: Generated<number>;
  project_id: number;
  /** Unique in the project. */
  title: string;
  position: number;
  revision: Generated<number>;
}

interface Templates extends ResourceColumns {
  description: string;
  app: string;
  type: string;
  playbook: string;
  inventory_id: number | null;
  repository_id: number;
  environment_id: number | null;
  view_id: number | null;
  git_branch: string | null;
  arguments: string | null;
  limit: string;
  tags: string;
  skip_tags: string;
  survey_vars: string;
  start_version: string | null;
  build_template_id: number | null;
  autorun: Generated<Flag>;
  allow_override_args_in_task: Flag;
  allow_override_inventory_in_task: Flag;
  allow_override_branch_in_task: Flag;
  allow_override_limit_in_task: Flag;
  allow_override_tags_in_task: Flag;
  allow_override_skip_tags_in_task: Flag;
  allow_debug_in_task: Flag;
  allow_parallel_tasks: Flag;
  /** Seconds; 0: no limit. */
  timeout_s: Generated<number>;
  /** How often a task that fails is tried again, and seconds before the first time. */
  retries: Generated<number>;
  retry_delay_s: Generated<number>;
  requires_confirmation: Generated<Flag>;
  auto_approve: Generated<Flag>;
  allow_auto_approve_in_task: Generated<Flag>;
  suppress_success_alerts: Generated<Flag>;
  /** JSON: a list; empty: that of the project. */
  runner_tags: Generated<string>;
  /** How many finished tasks to keep, and for how many days; 0: all. */
  keep_tasks: Generated<number>;
  keep_days: Generated<number>;
  /** How many tasks have been launched from it. */
  tasks: Generated<number>;
}

interface TemplateVaults {
  id: Generated<number>;
  project_id: number;
  template_id: number;
  vault_key_id: number;
  /** null: Ansible's "default". */
  name: string | null;
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
  /** What launched it, if nobody did. */
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
  /** Answers to secret survey variables, sealed; wiped when the task ends. */
  secret: string | null;
  debug: Flag;
  /** How verbose `debug` makes Ansible; 0: as usual. */
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
  /** The first task of the attempts that this one is of; null: this is the first. */
  retry_of: number | null;
  /** Which attempt this is, and how many there are at most. */
  attempt: Generated<number>;
  attempts: Generated<number>;
  /** Of a waiting task: the queue leaves it alone until then. */
  not_before: string | null;
  /** What runs, frozen at launch: JSON of `TaskSnapshot`. */
  snapshot: string;
  log_lines: Generated<number>;
  /** Which command of the run it has come to, counted from 1; 0: none has begun. */
  step: Generated<number>;
  /** JSON: the commands as people would type them, with the secrets hidden. */
  commands: Generated<string>;
  /** Bytes of the log as it is stored; known when the task has ended. */
  log_bytes: Generated<number>;
  /** The log was removed to keep the space for logs in bounds. */
  log_removed: Generated<Flag>;
  /** The byte of the command's spool behind the stored lines. */
  spool_offset: Generated<number>;
  /** Seconds that it will take, as earlier ones did. */
  expected_s: number | null;
  /** How far it has come: JSON of `TaskProgress`. */
  progress: string | null;
  /** What became of each host: JSON of `HostResult[]`. */
  hosts: string | null;
  /** Where it runs, or has run; null: it has not begun. */
  runner_id: number | null;
  /** Name of that server; empty: it has not begun. */
  runner_name: Generated<string>;
  /** Grows when it is given to a runner or taken away: who has an older one writes nothing more. */
  lease: Generated<number>;
  /** The texts that it is found by, in lower case. */
  search: Generated<string>;
}

interface Events {
  id: Generated<number>;
  created: string;
  code: string;
  /** JSON: what the sentence of the code names. */
  params: string;
  /** null: of the whole installation. */
  project_id: number | null;
  /** null: nobody, or somebody who is gone; the login stays. */
  user_id: number | null;
  username: string;
  via: string;
  via_id: number | null;
  ip: string;
  object_type: string;
  object_id: number | null;
  object_name: string;
  /** The texts that it is found by, in lower case. */
  search: Generated<string>;
}

interface TaskLogChunks {
  task_id: number;
  /** Number of its first line; lines count from 1. */
  first_line: number;
  lines: number;
  /** Bytes of text, before compression. */
  bytes: number;
  /** Time of the first line; the others hold milliseconds since then. */
  time: string;
  data: Buffer;
}

/** What an administrator has changed of an app, or a whole app that was added. */
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

/** What administrators keep for programs of their own. */
interface Options {
  key: string;
  value: string;
}

interface Settings {
  name: string;
  value: string;
}

export interface Tables
  extends IntegrationTables, ScheduleTables, AlertTables, IdentityTables, RunnerTables {
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
  views: Views;
  templates: Templates;
  template_vaults: TemplateVaults;
  tasks: Tasks;
  task_log_chunks: TaskLogChunks;
  apps: Apps;
  events: Events;
  options: Options;
  settings: Settings;
}

export type Row<Table extends keyof Tables> = Selectable<Tables[Table]>;
export type NewRow<Table extends keyof Tables> = Insertable<Tables[Table]>;
