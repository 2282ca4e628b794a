import type { Migration } from 'kysely/migration';
import { statements } from './statements.ts';

export const migrations0014To0044: Record<string, Migration> = {
  '0014-alerts': statements(`
  create table alert_channels (
    id {id},
    project_id {int64} not null references projects (id) on delete cascade,
    name varchar(255) not null,
    revision integer default 1 not null,
    type varchar(20) not null,
    active integer not null,
    events text not null,
    addresses text not null,
    chat varchar(100) not null,
    host text,
    address text,
    secret text,
    constraint alert_channels_name unique (project_id, name),
    constraint alert_channels_project unique (project_id, id)
  );
  create table alert_channel_templates (
    project_id {int64} not null,
    channel_id {int64} not null,
    template_id {int64} not null,
    constraint alert_channel_templates_key primary key (channel_id, template_id),
    constraint alert_channel_templates_channel foreign key (project_id, channel_id)
      references alert_channels (project_id, id) on delete cascade,
    -- Without a cascade: a channel that lost the last of its templates would apply to all templates.
    constraint alert_channel_templates_template foreign key (project_id, template_id)
      references templates (project_id, id)
  );
  create index alert_channel_templates_by_template_id on alert_channel_templates (template_id);
  create table alert_deliveries (
    id {id},
    project_id {int64} not null references projects (id) on delete cascade,
    -- Without foreign keys: an alert outlives its task and its recipient, and a deletion at the same
    -- moment does not prevent a task from ending.
    task_id {int64} not null,
    event varchar(20) not null,
    recipient varchar(40) not null,
    channel_id {int64},
    user_id {int64} references users (id) on delete cascade,
    alert text not null,
    status varchar(10) not null,
    attempts integer default 0 not null,
    answer_status integer,
    error varchar(40),
    created varchar(24) not null,
    sent varchar(24),
    next_try varchar(24),
    constraint alert_deliveries_once unique (task_id, event, recipient)
  );
  create index alert_deliveries_by_project_id_id on alert_deliveries (project_id, id);
  create index alert_deliveries_by_channel_id_id on alert_deliveries (channel_id, id);
  create index alert_deliveries_by_status_next_try on alert_deliveries (status, next_try);
  -- Finds the end of the previous task, to recognise a success after a failure.
  create index tasks_by_template_id_end on tasks (template_id, "end")`),
  '0015-lists': statements(`
  alter table tasks add column search text default '' not null;
  alter table events add column search text default '' not null;
  -- The same text as searchable() in search.ts makes.
  update tasks set search = substr(lower(
    concat_ws(cast('\n' as text), message, version, commit_hash, commit_message)), 1, 600);
  update events set search = substr(lower(
    concat_ws(cast('\n' as text), object_name, username)), 1, 600);
  -- Each of these indexes is the beginning of a new one.
  drop index tasks_by_project_id_id;
  drop index tasks_by_template_id_id;
  drop index events_by_project;
  -- Indexes with all columns that lists are searched and filtered by, so that the rows need not
  -- be read.
  create index tasks_by_project on tasks (project_id, id, template_id, user_id, status, search);
  create index tasks_by_status on tasks (project_id, status, id, template_id, user_id);
  create index tasks_by_template on tasks (template_id, id, status, user_id);
  -- The deletion of a user searches for their tasks too.
  create index tasks_by_user on tasks (user_id, project_id, id, template_id, status);
  create index events_by_project
    on events (project_id, id, code, object_type, user_id, created, search);
  create index alert_channel_templates_by_project on alert_channel_templates (project_id, channel_id)`),
  '0017-options': statements(`
  create table options (
    key varchar(255) not null primary key,
    value text not null
  )`),
  /** Indexes with all columns that the dashboard counts, so that the rows need not be read. */
  '0018-stats': statements(`
  create index tasks_by_end on tasks (project_id, status, "end", template_id, start)`),
  /** Second factors with their recovery codes, and the counts of wrong attempts to sign in. */
  '0019-second-factor': statements(`
  alter table users add column second_factor_secret text;
  alter table users add column second_factor_since varchar(24);
  alter table users add column second_factor_step integer default 0 not null;
  create table recovery_codes (
    user_id {int64} not null references users (id) on delete cascade,
    code_hash varchar(64) not null,
    constraint recovery_codes_of_user primary key (user_id, code_hash)
  );
  create table sign_in_attempts (
    account varchar(80) not null primary key,
    count integer not null,
    since varchar(24) not null
  )`),
  '0020-identity': statements(`
  create table user_identities (
    provider varchar(64) not null,
    subject varchar(255) not null,
    user_id {int64} not null references users (id) on delete cascade,
    verified integer not null,
    created varchar(24) not null,
    constraint user_identities_pk primary key (provider, subject)
  );
  create index user_identities_by_user on user_identities (user_id);
  create table oidc_states (
    state_hash varchar(64) not null primary key,
    browser_hash varchar(64) not null,
    provider varchar(64) not null,
    page text not null,
    expires varchar(24) not null
  );
  create index oidc_states_by_expires on oidc_states (expires);
  create table group_rules (
    id {id},
    source varchar(64) not null,
    claim varchar(255) not null,
    pattern varchar(1000) not null,
    project_id {int64} references projects (id) on delete cascade,
    role varchar(20),
    position integer not null
  );
  create index group_rules_by_project on group_rules (project_id);
  alter table sessions add column provider varchar(64);
  -- Sealed; it is used only to end the session at the provider too.
  alter table sessions add column id_token text;
  alter table members add column from_rules integer default 0 not null;
  alter table users add column admin_from_rules integer default 0 not null`),
  '0022-runners': statements(`
  create table runners (
    id {id},
    uid varchar(36) not null unique,
    session varchar(36) not null,
    name varchar(255) not null,
    role varchar(20) not null,
    version varchar(40) not null,
    max_parallel_tasks integer not null,
    draining integer default 0 not null,
    closed integer default 0 not null,
    load double precision default 0 not null,
    started varchar(24) not null,
    last_seen varchar(24) not null
  );
  alter table tasks add column runner_id {int64};
  alter table tasks add column lease integer default 0 not null`),
  '0023-runner-tags': statements(`
  alter table runners add column tags text default '[]' not null;
  alter table projects add column runner_tags text default '[]' not null;
  alter table templates add column runner_tags text default '[]' not null`),
  '0024-remote-runners': statements(`
  alter table runners add column remote integer default 0 not null;
  alter table runners add column registration varchar(64);
  alter table runners add column registration_expires varchar(24);
  alter table runners add column credential varchar(64);
  alter table runners add column public_key varchar(500)`),
  '0025-call-counts': statements(`
  create table call_counts (
    key varchar(255) not null primary key,
    calls integer not null,
    ends varchar(24) not null
  )`),
  '0026-signed-requests': statements(`
  create table integration_signed (
    project_id {int64} not null,
    integration_id {int64} not null,
    signed varchar(64) not null,
    created varchar(24) not null,
    constraint integration_signed_primary primary key (integration_id, signed),
    constraint integration_signed_integration foreign key (project_id, integration_id)
      references integrations (project_id, id) on delete cascade
  )`),
  /**
   * The name of the server on which a task runs or has run; it stays when that server is forgotten.
   */
  '0030-runner-name': statements(`
  alter table tasks add column runner_name varchar(255) default '' not null;
  -- Tasks that began earlier on the only server have no name.
  update tasks set runner_name =
    coalesce((select name from runners where runners.id = tasks.runner_id), '')
    where runner_id is not null`),
  /** Launch options of schedules, and how verbose a task is. */
  '0034-task-params': statements(`
  alter table tasks add column debug_level integer default 0 not null;
  alter table schedules add column task_params text;
  alter table schedules add column inventory_id {int64} references inventories (id);
  create index schedules_by_inventory_id on schedules (inventory_id)`),
  /**
   * Changes no table. From here on secrets are sealed in a form that earlier versions cannot open, so
   * those must not be started on this database any more. The server gives earlier secrets the new
   * form when it starts, because only the server has the master key.
   */
  '0035-bound-seals': statements(''),
  /** Schedules that are due once. */
  '0036-once-due': statements(`
  alter table schedules add column type varchar(10) default '' not null;
  alter table schedules add column run_at varchar(24);
  alter table schedules add column delete_after_run integer default 0 not null`),
  /**
   * Templates with several environments, with vault passwords that a script prints, and with
   * variables beside their survey.
   */
  '0037-template-options': statements(`
  alter table templates add column allow_any_variable_in_task integer default 0 not null;
  -- The further environments of a template; the first one stays a column of the template.
  create table template_environments (
    project_id {int64} not null,
    template_id {int64} not null,
    environment_id {int64} not null,
    position integer not null,
    constraint template_environments_pkey primary key (template_id, position),
    constraint template_environments_template foreign key (project_id, template_id)
      references templates (project_id, id) on delete cascade,
    constraint template_environments_environment foreign key (project_id, environment_id)
      references environments (project_id, id)
  );
  create index template_environments_by_environment
    on template_environments (project_id, environment_id);
  alter table template_vaults add column position integer default 0 not null;
  -- Vaults whose password a script of the repository prints. They have a table of their own, because
  -- servers of the version before need a key in each row of the other table.
  create table template_vault_scripts (
    id {id},
    project_id {int64} not null,
    template_id {int64} not null,
    name varchar(100),
    script varchar(255) not null,
    position integer not null,
    constraint template_vault_scripts_template foreign key (project_id, template_id)
      references templates (project_id, id) on delete cascade
  );
  create index template_vault_scripts_by_template_id on template_vault_scripts (template_id)`),
  /** Runners of one project, and how many tasks a runner is given at once. */
  '0038-project-runners': statements(`
  alter table runners add column project_id {int64} references projects (id) on delete cascade;
  alter table runners add column most_tasks integer default 0 not null;
  create index runners_by_project_id on runners (project_id)`),
  /** Values that clients keep for their users. */
  '0039-user-options': statements(`
  create table user_options (
    user_id {int64} not null references users (id) on delete cascade,
    key varchar(255) not null,
    value text not null,
    constraint options_of_user primary key (user_id, key)
  )`),
  /** When somebody has last asked a runner to clear what it keeps for later runs. */
  '0040-clear-cache': statements(`alter table runners add column cleaning_requested varchar(30)`),
  /** The folder of the repository in which the programs of a template start. */
  '0041-working-directory': statements(`
  alter table templates add column working_directory varchar(255) default '' not null`),
  /** What is prepared before a run: the submodules of a repository, the requirements of a template. */
  '0042-preparation': statements(`
  alter table repositories add column with_submodules integer default 1 not null;
  alter table templates add column install_requirements varchar(20) default 'when_changed' not null`),
  /** How the last command of a task has ended, why the task failed, and its plays and tasks. */
  '0043-task-results': statements(`
  alter table tasks add column exit_code integer;
  alter table tasks add column failure text;
  create table task_sections (
    task_id {int64} not null references tasks (id) on delete cascade,
    number integer not null,
    line integer not null,
    kind varchar(10) not null,
    name text not null,
    ok integer not null,
    changed integer not null,
    skipped integer not null,
    failed integer not null,
    unreachable integer not null,
    ignored integer not null,
    rescued integer not null,
    constraint task_sections_key primary key (task_id, number)
  )`),
  /** Requests of git hosts that choose the commit of a task, and commit statuses that are sent to them. */
  '0044-git-hosts': statements(`
  alter table integration_values add column variable_type varchar(20) default 'environment' not null;
  alter table repositories add column status_host varchar(20) default '' not null;
  alter table repositories add column status_key_id {int64} references keys (id);
  create index repositories_by_status_key_id on repositories (status_key_id);
  alter table alert_deliveries add column repository_id {int64}`),
};
