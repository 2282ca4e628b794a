// The data model; nouns with several tables have files of their own, such as task-tables.ts.
// Times are ISO texts in UTC, flags 0 or 1, JSON is text.

import type { Generated, Insertable, Selectable } from 'kysely';
import type { StatusHost } from '#shared/git/repository-url.ts';
import type { SecretType } from '#shared/api/environments.ts';
import type { InventoryType } from '#shared/api/inventories.ts';
import type { KeyType } from '#shared/api/keys.ts';
import type { HostConfigType } from '#shared/git/host-config.ts';
import type { ResultState } from '#shared/api/run-results.ts';
import type { Role } from '#shared/permissions.ts';
import type { BackupTables } from './tables/backup-tables.ts';
import type { AlertTables } from './tables/alert-tables.ts';
import type { Flag, ResourceColumns } from './tables/columns.ts';
import type { IdentityTables } from './tables/identity-tables.ts';
import type { IntegrationTables } from './tables/integration-tables.ts';
import type { RunnerTables } from './tables/runner-tables.ts';
import type { ScheduleTables } from './tables/schedule-tables.ts';
import type { TaskTables } from './tables/task-tables.ts';
import type { TemplateTables } from './tables/template-tables.ts';
import type { WorkflowTables } from './tables/workflow-tables.ts';

interface Users {
  id: Generated<number>;
  created: string;
  username: string;
  /** In lower case, like `email_key`, so that both are unique without regard to case. */
  username_key: string;
  name: string;
  email: string;
  email_key: string;
  /** The hash as a PHC string; null for users without a password here. */
  password_hash: string | null;
  admin: Flag;
  /** Whether a rule made the user an administrator, so that rules can end that again. */
  admin_from_rules: Generated<Flag>;
  external: Flag;
  alert: Flag;
  /** Whether the user may create projects; null: as the setting of the server says. */
  can_create_project: Generated<Flag | null>;
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
  keep_home: Generated<Flag>;
  /** JSON: the names of the facts of hosts that are kept. */
  host_facts: Generated<string>;
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
  /** When the secret was given; null: before this was recorded, or not yet. */
  secret_set: Generated<string | null>;
}

interface Repositories extends ResourceColumns {
  git_url: string;
  git_branch: string;
  ssh_key_id: number;
  /** The software of the host that commit statuses are sent to; empty for none. */
  status_host: Generated<StatusHost | ''>;
  /** The key whose password is the token for commit statuses. */
  status_key_id: number | null;
  with_submodules: Generated<Flag>;
}

interface HostConfigs extends ResourceColumns {
  type: HostConfigType;
  ssh_key_id: number;
}

interface Inventories extends ResourceColumns {
  type: InventoryType;
  inventory: string;
  ssh_key_id: number | null;
  become_key_id: number | null;
  repository_id: number | null;
}

/** A host that an inventory of the project names, or that was in one of its runs. */
interface Hosts {
  id: Generated<number>;
  project_id: number;
  /** Unique in the project. */
  name: string;
  /** The name in a form whose order is the natural one. */
  sort_key: string;
  /** The newest finished task in which it was; null for none. */
  last_task_id: number | null;
  /** The outcome in that task; not null without a task: the task has been deleted. */
  last_outcome: ResultState | null;
}

/** The hosts that the text of an inventory names. */
interface InventoryHosts {
  project_id: number;
  inventory_id: number;
  host: string;
  /** JSON: the names of its groups in this inventory. */
  groups: string;
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
  /** When the value was given; null: before this was recorded, or not yet. */
  secret_set: Generated<string | null>;
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

interface TemplatePins {
  user_id: number;
  project_id: number;
  template_id: number;
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
    BackupTables,
    IdentityTables,
    RunnerTables,
    TaskTables,
    TemplateTables,
    WorkflowTables {
  users: Users;
  sessions: Sessions;
  recovery_codes: RecoveryCodes;
  sign_in_attempts: SignInAttempts;
  tokens: Tokens;
  projects: Projects;
  members: Members;
  keys: Keys;
  repositories: Repositories;
  host_configs: HostConfigs;
  inventories: Inventories;
  hosts: Hosts;
  inventory_hosts: InventoryHosts;
  environments: Environments;
  environment_secrets: EnvironmentSecrets;
  apps: Apps;
  events: Events;
  options: Options;
  user_options: UserOptions;
  template_pins: TemplatePins;
  settings: Settings;
}

export type Row<Table extends keyof Tables> = Selectable<Tables[Table]>;
export type NewRow<Table extends keyof Tables> = Insertable<Tables[Table]>;
