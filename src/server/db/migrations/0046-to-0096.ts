import type { Migration } from 'kysely/migration';
import { runResults } from './0047-run-results.ts';
import { hosts } from './0052-hosts.ts';
import { startsOfWorkflows } from './0056-starts-of-workflows.ts';
import { statements } from './statements.ts';

export const migrations0046To0096: Record<string, Migration> = {
  /** The templates that users have pinned. */
  '0046-template-pins': statements(`
  create table template_pins (
    user_id {int64} not null references users (id) on delete cascade,
    project_id {int64} not null,
    template_id {int64} not null,
    constraint template_pins_pkey primary key (user_id, template_id),
    constraint template_pins_template foreign key (project_id, template_id)
      references templates (project_id, id) on delete cascade
  );
  create index template_pins_by_template on template_pins (project_id, template_id)`),
  '0047-run-results': runResults,
  /** What a task ran with, so that it can be compared with the last task that succeeded. */
  '0048-task-changes': statements(`
  alter table keys add column secret_set varchar(24);
  alter table environment_secrets add column secret_set varchar(24);
  alter table tasks add column tools text;
  alter table tasks add column used_secrets text;
  -- Only successful tasks, so that a template that fails for weeks is not read back to its beginning.
  create index tasks_by_success on tasks (template_id, inventory_id, id) where status = 'success'`),
  /** Tasks that run again on some hosts of an earlier one. */
  '0049-run-again': statements(`
  alter table tasks add column rerun_of {int64} references tasks (id) on delete set null;
  alter table tasks add column only_hosts text;
  -- The deletion of a task searches for rows that refer to it.
  create index tasks_by_rerun_of on tasks (rerun_of);
  alter table templates add column retry_failed_hosts integer default 0 not null`),
  /** Whether a project keeps the home folder of its runs. */
  '0050-keep-home': statements(`
  alter table projects add column keep_home integer default 0 not null`),
  /** What the plan of a task does: its counts for lists, and each resource. */
  '0051-task-plans': statements(`
  alter table tasks add column plan text;
  create table task_plans (
    task_id {int64} not null primary key references tasks (id) on delete cascade,
    is_complete integer not null,
    data {bytes} not null
  )`),
  '0052-hosts': hosts,
  /** The facts of hosts: which ones a project keeps, and which ones a host had in a run. */
  '0053-host-facts': statements(`
  alter table projects add column host_facts text default '[]' not null;
  create table fact_sets (
    id {id},
    project_id {int64} not null references projects (id) on delete cascade,
    hash varchar(64) not null,
    facts text not null,
    constraint fact_sets_by_hash unique (project_id, hash)
  );
  alter table task_hosts add column fact_set_id {int64} references fact_sets (id);
  -- Most runs report no facts.
  create index task_hosts_by_facts on task_hosts (fact_set_id, project_id, host, task_id)
    where fact_set_id is not null`),
  /** What tasks hand on; an id of its own binds the sealed secrets to the row. */
  '0054-task-outputs': statements(`
  create table task_outputs (
    id {id},
    task_id {int64} not null unique references tasks (id) on delete cascade,
    project_id {int64} not null,
    outputs text not null,
    secrets text
  )`),
  /** Workflows, their runs, the nodes of each run, and what was decided in it. */
  '0055-workflows': statements(`
  create table workflows (
    id {id},
    project_id {int64} not null references projects (id) on delete cascade,
    name varchar(100) not null,
    description text default '' not null,
    view_id {int64},
    graph text not null,
    revision integer default 1 not null,
    constraint workflows_by_name unique (project_id, name),
    -- Rows that belong to a workflow name its project too.
    constraint workflows_by_project unique (project_id, id)
  );
  create index workflows_by_view on workflows (project_id, view_id);
  -- What the nodes of a workflow use, so that it is not deleted.
  create table workflow_uses (
    id {id},
    project_id {int64} not null,
    workflow_id {int64} not null,
    template_id {int64},
    used_workflow_id {int64},
    constraint workflow_uses_workflow foreign key (project_id, workflow_id)
      references workflows (project_id, id) on delete cascade,
    constraint workflow_uses_template foreign key (project_id, template_id)
      references templates (project_id, id),
    constraint workflow_uses_used foreign key (project_id, used_workflow_id)
      references workflows (project_id, id)
  );
  create index workflow_uses_by_workflow_id on workflow_uses (project_id, workflow_id);
  create index workflow_uses_by_template_id on workflow_uses (project_id, template_id);
  create index workflow_uses_by_used_workflow_id on workflow_uses (project_id, used_workflow_id);
  create table workflow_runs (
    id {id},
    project_id {int64} not null,
    workflow_id {int64} not null,
    name varchar(100) not null,
    status varchar(20) not null,
    created varchar(30) not null,
    "end" varchar(30),
    user_id {int64} references users (id) on delete set null,
    username varchar(255) not null,
    message varchar(250) not null,
    graph text not null,
    force_stop integer default 0 not null,
    parent_run_id {int64} references workflow_runs (id) on delete set null,
    parent_node varchar(40),
    rerun_of {int64} references workflow_runs (id) on delete set null,
    constraint workflow_runs_workflow foreign key (project_id, workflow_id)
      references workflows (project_id, id) on delete cascade
  );
  create index workflow_runs_by_project on workflow_runs (project_id, id);
  create index workflow_runs_by_workflow on workflow_runs (project_id, workflow_id, id);
  create index workflow_runs_by_user_id on workflow_runs (user_id) where user_id is not null;
  create index workflow_runs_by_parent_run_id on workflow_runs (parent_run_id)
    where parent_run_id is not null;
  create index workflow_runs_by_rerun_of on workflow_runs (rerun_of) where rerun_of is not null;
  -- Few runs are unfinished.
  create index workflow_runs_stopping on workflow_runs (id) where status = 'stopping';
  create table workflow_nodes (
    id {id},
    project_id {int64} not null,
    run_id {int64} not null references workflow_runs (id) on delete cascade,
    node varchar(40) not null,
    state varchar(20) not null,
    task_id {int64} references tasks (id) on delete set null,
    child_run_id {int64} references workflow_runs (id) on delete set null,
    begin varchar(30),
    "end" varchar(30),
    until varchar(30),
    reason text,
    is_kept integer default 0 not null,
    decided_by varchar(255),
    answers text default '{}' not null,
    secret text,
    constraint workflow_nodes_by_node unique (run_id, node)
  );
  create index workflow_nodes_by_task_id on workflow_nodes (task_id) where task_id is not null;
  create index workflow_nodes_by_child_run_id on workflow_nodes (child_run_id)
    where child_run_id is not null;
  -- Most nodes have ended.
  create index workflow_nodes_active on workflow_nodes (until, id) where state = 'active';
  create table workflow_decisions (
    id {id},
    run_id {int64} not null references workflow_runs (id) on delete cascade,
    time varchar(30) not null,
    code varchar(50) not null,
    params text not null,
    because text not null
  );
  create index workflow_decisions_by_run on workflow_decisions (run_id, id);
  alter table tasks add column workflow_run_id {int64} references workflow_runs (id)
    on delete set null;
  alter table tasks add column workflow_node varchar(40);
  create index tasks_by_workflow_run on tasks (workflow_run_id) where workflow_run_id is not null`),
  '0056-starts-of-workflows': startsOfWorkflows,
  /** Channels that hear of workflows, and deliveries about their runs. */
  '0057-alerts-of-runs': statements(`
  create table alert_channel_workflows (
    project_id {int64} not null,
    channel_id {int64} not null,
    workflow_id {int64} not null,
    constraint alert_channel_workflows_key primary key (channel_id, workflow_id),
    constraint alert_channel_workflows_channel foreign key (project_id, channel_id)
      references alert_channels (project_id, id) on delete cascade,
    -- Without a cascade: a channel that lost the last of its workflows would apply to all of them.
    constraint alert_channel_workflows_workflow foreign key (project_id, workflow_id)
      references workflows (project_id, id)
  );
  create index alert_channel_workflows_by_project_id
    on alert_channel_workflows (project_id, channel_id);
  create index alert_channel_workflows_by_workflow_id on alert_channel_workflows (workflow_id);
  alter table alert_deliveries add column run_id {int64};
  -- Finds the end of the previous run, to recognise a success after a failure.
  create index workflow_runs_by_workflow_id_end on workflow_runs (workflow_id, "end")`),
  /** Whether the disk of a runner has too little free space for new tasks. */
  '0058-room-of-runners': statements(`
  alter table runners add column out_of_room integer default 0 not null`),
  /** What the programs of the tasks of a template may use. */
  '0059-limits-of-tasks': statements(`
  alter table templates add column memory_limit_mib integer default 0 not null;
  alter table templates add column cpu_limit_percent integer default 0 not null;
  alter table templates add column process_limit integer default 0 not null`),
  /**
   * The scheduled backups of the installation. With this version, addresses of repositories in the data
   * folder are stored relative to it, which earlier versions do not understand.
   */
  '0060-installation-backups': statements(`
  create table installation_backups (
    id {id},
    due varchar(24) not null unique,
    server text not null,
    started varchar(24) not null,
    "end" varchar(24),
    file text,
    bytes bigint,
    failure text
  )`),
  /** What the trace of a task needs beside its other times. */
  '0062-traces-of-tasks': statements(`
  alter table tasks add column traceparent text;
  alter table tasks add column marks text`),
  /** Every request of a remote runner is recognised by its credential. */
  '0063-credentials-of-runners': statements(`
  create index runners_by_credential on runners (credential)`),
  /** What still has to follow from the ends of tasks. */
  '0069-task-follow-ups': statements(`
  create table task_follow_ups (
    task_id {int64} not null primary key references tasks (id) on delete cascade,
    due varchar(24) not null,
    done text default '' not null,
    attempts integer default 0 not null,
    error text
  );
  create index task_follow_ups_due on task_follow_ups (due)`),
  /** Dry runs are neither the base of comparisons nor counted by the dashboard. */
  '0074-dry-runs': statements(`
  drop index tasks_by_success;
  drop index tasks_by_end;
  -- Only successful runs, so that a template that fails for weeks is not read back to its beginning.
  create index tasks_by_success on tasks (template_id, inventory_id, id)
    where status = 'success' and dry_run = 0;
  create index tasks_by_end on tasks (project_id, status, "end", template_id, start, dry_run)`),
  /** Templates that exist already go on as before. */
  '0075-fail-without-hosts': statements(`
  alter table templates add column fail_without_hosts integer default 0 not null`),
  /** Who is behind a run that a schedule or an integration launches, so that it is not approved alone. */
  '0076-who-asked-for-runs': statements(`
  alter table schedules add column changed_by {int64};
  alter table integrations add column changed_by {int64};
  alter table workflow_runs add column requested_by {int64}`),
  /** The names of the secret answers with which a task was launched; null: not known. */
  '0077-secret-answers': statements(`alter table tasks add column secret_answers text`),
  /** Why a plan waits for a person, and which templates come from a backup, which has no states. */
  '0085-restored-templates': statements(`
  alter table tasks add column confirmation_reason text;
  alter table templates add column restored integer default 0 not null`),
  /** Whether a plan covers all of its configuration; null: a program that does not say, or an earlier version. */
  '0086-whole-plans': statements(`alter table task_plans add column is_whole integer`),
  /**
   * Logins and e-mail addresses keep their spelling: what makes them unique is a copy in lower case.
   * Until now both were stored in lower case. `can_create_project` null: as the setting of the server says.
   */
  '0095-users': statements(`
  alter table users add column username_key text;
  alter table users add column email_key text;
  update users set username_key = username, email_key = email;
  create unique index users_by_username on users (username_key);
  create unique index users_by_email on users (email_key);
  alter table users add column can_create_project integer`),
  /** The keys for hosts and prefixes of addresses; `name` is the host or the prefix. */
  '0096-host-configs': statements(`
  create table host_configs (
    id {id},
    project_id {int64} not null references projects (id) on delete cascade,
    name varchar(255) not null,
    revision integer default 1 not null,
    type varchar(10) not null,
    ssh_key_id {int64} not null,
    constraint host_configs_name unique (project_id, name),
    constraint host_configs_ssh_key foreign key (project_id, ssh_key_id)
      references keys (project_id, id)
  );
  create index host_configs_by_ssh_key on host_configs (project_id, ssh_key_id)`),
};
