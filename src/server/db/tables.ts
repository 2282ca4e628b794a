// The data model. Times are ISO texts in UTC, flags 0 or 1, JSON is text.

import type { Generated, Insertable, Selectable } from 'kysely';
import type { StatusHost } from '#shared/git/repository-url.ts';
import type { SecretType } from '#shared/api/environments.ts';
import type { InventoryType } from '#shared/api/inventories.ts';
import type { KeyType } from '#shared/api/keys.ts';
import type { HostConfigType } from '#shared/git/host-config.ts';
import type { ResultState } from '#shared/api/run-results.ts';
import type { AlertTables } from './tables/alert-tables.ts';
import type { Flag, ResourceColumns } from './tables/columns.ts';
import type { ExecutionTables } from './tables/execution-tables.ts';
import type { IdentityTables } from './tables/identity-tables.ts';
import type { IntegrationTables } from './tables/integration-tables.ts';
import type { RunnerTables } from './tables/runner-tables.ts';
import type { ScheduleTables } from './tables/schedule-tables.ts';
import type { TaskTables } from './tables/task-tables.ts';
import type { TemplateTables } from './tables/template-tables.ts';
import type { WorkflowTables } from './tables/workflow-tables.ts';

export interface Tables
  extends
    IntegrationTables,
    ScheduleTables,
    AlertTables,
    ExecutionTables,
    IdentityTables,
    RunnerTables,
    TaskTables,
    TemplateTables,
    WorkflowTables {
  users: {
    id: Generated<number>;
    created: string;
    username: string;
    /** Lower case, like `email_key`, for case-insensitive uniqueness. */
    username_key: string;
    name: string;
    email: string;
    email_key: string;
    /** PHC string; null without a local password. */
    password_hash: string | null;
    admin: Flag;
    /** Whether a group rule assigned it, and may remove it. */
    admin_from_rules: Generated<Flag>;
    external: Flag;
    alert: Flag;
    /** Null: the setting of the server decides. */
    can_create_project: Generated<Flag | null>;
    revision: Generated<number>;
    /** TOTP secret, sealed; null when none was set up. */
    second_factor_secret: Generated<string | null>;
    /** When it was confirmed; null while inactive. */
    second_factor_since: Generated<string | null>;
    second_factor_step: Generated<number>;
  };
  sessions: {
    id: Generated<number>;
    user_id: number;
    token_hash: string;
    created: string;
    last_active: string;
    expires: string;
    ip: string;
    user_agent: string;
    /** The identity provider, if any. */
    provider: string | null;
    /** Sealed; null when no logout at the provider is needed. */
    id_token: string | null;
  };
  recovery_codes: {
    user_id: number;
    code_hash: string;
  };
  sign_in_attempts: {
    /** The name of the counter: account or hash of an unknown login, and source. */
    account: string;
    count: number;
    since: string;
  };
  tokens: {
    id: Generated<number>;
    user_id: number;
    name: string;
    scope: string;
    /** Null: all projects of the user. */
    project_id: number | null;
    token_hash: string;
    hint: string;
    created: string;
    expires: string | null;
    last_used: string | null;
  };
  projects: {
    id: Generated<number>;
    name: string;
    created: string;
    alert: Flag;
    alert_chat: string | null;
    max_parallel_tasks: number;
    /** JSON: default tags of templates. */
    runner_tags: Generated<string>;
    keep_home: Generated<Flag>;
    /** JSON: names of the stored host facts. */
    host_facts: Generated<string>;
    /** The default of its templates; null: the programs of the runner. */
    execution_environment_id: Generated<number | null>;
    type: string;
    revision: Generated<number>;
  };
  members: {
    project_id: number;
    user_id: number;
    /** The slug. */
    role: string;
    /** Null for a built-in role. */
    role_id: Generated<number | null>;
    /** Whether a group rule assigned it, and may remove it. */
    from_rules: Generated<Flag>;
  };
  keys: ResourceColumns & {
    type: KeyType;
    /** Sealed; null when missing, or for the type `none`. */
    secret: string | null;
    /** When the secret was given; null: before this was recorded, or not yet. */
    secret_set: Generated<string | null>;
  };
  repositories: ResourceColumns & {
    git_url: string;
    git_branch: string;
    ssh_key_id: number;
    /** The type of host for commit statuses; empty for none. */
    status_host: Generated<StatusHost | ''>;
    /** The key with the token for commit statuses. */
    status_key_id: number | null;
    with_submodules: Generated<Flag>;
  };
  host_configs: ResourceColumns & {
    type: HostConfigType;
    ssh_key_id: number;
  };
  inventories: ResourceColumns & {
    type: InventoryType;
    inventory: string;
    ssh_key_id: number | null;
    become_key_id: number | null;
    repository_id: number | null;
  };
  /** A host of an inventory or of a run. */
  hosts: {
    id: Generated<number>;
    project_id: number;
    /** Unique in the project. */
    name: string;
    /** For natural sorting. */
    sort_key: string;
    /** The newest finished task; null for none. */
    last_task_id: number | null;
    last_outcome: ResultState | null;
  };
  inventory_hosts: {
    project_id: number;
    inventory_id: number;
    host: string;
    groups: string;
  };
  environments: ResourceColumns & {
    json: string;
    env: string;
  };
  environment_secrets: {
    id: Generated<number>;
    project_id: number;
    environment_id: number;
    type: SecretType;
    /** Unique per environment and type. */
    name: string;
    /** Sealed; empty when missing. */
    secret: string;
    /** When the value was given; null: before this was recorded, or not yet. */
    secret_set: Generated<string | null>;
  };
  /** An override of a built-in app, or an added app. */
  apps: {
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
  };
  events: {
    id: Generated<number>;
    created: string;
    code: string;
    /** JSON: parameters of the message. */
    params: string;
    /** Null: the whole installation. */
    project_id: number | null;
    /** Null for no user or a deleted one, whose login is kept. */
    user_id: number | null;
    username: string;
    via: string;
    via_id: number | null;
    ip: string;
    object_type: string;
    object_id: number | null;
    object_name: string;
    search: Generated<string>;
  };
  /** Values that administrators store for their programs. */
  options: {
    key: string;
    value: string;
  };
  /** A value that a client stores for a user. */
  user_options: {
    user_id: number;
    key: string;
    value: string;
  };
  template_pins: {
    user_id: number;
    project_id: number;
    template_id: number;
  };
  settings: {
    name: string;
    value: string;
  };
  installation_backups: {
    id: Generated<number>;
    /** Unique, so that one server claims it. */
    due: string;
    /** Name and data folder of the server. */
    server: string;
    started: string;
    /** Null while running, and after a crash. */
    end: string | null;
    /** Null after a failure or removal. */
    file: string | null;
    bytes: number | null;
    /** An English sentence. */
    failure: string | null;
  };
}

export type Row<Table extends keyof Tables> = Selectable<Tables[Table]>;
export type NewRow<Table extends keyof Tables> = Insertable<Tables[Table]>;
