import type { Migration } from 'kysely/migration';
import { statements } from './statements.ts';

export const migrations0002To0013: Record<string, Migration> = {
  '0002-supervisor': statements(`
  alter table tasks add column spool_offset {int64} default 0 not null`),
  '0003-builds': statements(`
  -- Two builds never share a version; tasks without a version do not count.
  create unique index tasks_version on tasks (template_id, version);
  alter table tasks add column confirmed_by {int64} references users (id) on delete set null;
  alter table tasks add column confirmed_at varchar(24)`),
  '0004-apps': statements(`
  create table apps (
    id varchar(50) primary key,
    title varchar(100) not null,
    active integer not null,
    priority integer not null,
    icon varchar(100) not null,
    color varchar(50) not null,
    dark_color varchar(50) not null,
    path text not null,
    args text not null
  );
  alter table templates add column auto_approve integer default 0 not null;
  alter table templates add column allow_auto_approve_in_task integer default 0 not null;
  alter table tasks add column auto_approve integer default 0 not null;
  alter table tasks add column step integer default 0 not null;
  alter table tasks add column commands text default '[]' not null`),
  '0005-queue': statements(`
  alter table templates add column retry_delay_s integer default 10 not null;
  alter table tasks add column retry_of {int64} references tasks (id) on delete set null;
  alter table tasks add column attempt integer default 1 not null;
  alter table tasks add column attempts integer default 1 not null;
  alter table tasks add column not_before varchar(24);
  alter table tasks add column log_bytes {int64} default 0 not null;
  alter table tasks add column log_removed integer default 0 not null;
  update tasks set log_bytes = coalesce((
    select sum(length(data)) from task_log_chunks where task_id = tasks.id), 0);
  -- The new index contains everything that the queue reads of a task that it does not assign.
  drop index tasks_by_status_id;
  create index tasks_by_queue on tasks (status, project_id, template_id, not_before, id);
  -- The deletion of a task searches for rows that refer to it.
  create index tasks_by_build_task_id on tasks (build_task_id);
  create index tasks_by_retry_of on tasks (retry_of);
  create index tasks_by_log_bytes on tasks (log_bytes)`),
  '0006-progress': statements(`
  alter table tasks add column expected_s integer;
  alter table tasks add column progress text;
  alter table tasks add column hosts text`),
  '0007-environment-secrets': statements(`
  create table environment_secrets (
    id {id},
    project_id {int64} not null,
    environment_id {int64} not null,
    type varchar(10) not null,
    name varchar(255) not null,
    secret text not null,
    constraint environment_secrets_name unique (environment_id, type, name),
    constraint environment_secrets_environment foreign key (project_id, environment_id)
      references environments (project_id, id) on delete cascade
  )`),
  '0008-user-revision': statements(`
  alter table users add column revision integer default 1 not null`),
  '0009-views': statements(`
  alter table views add column revision integer default 1 not null;
  create unique index views_title on views (project_id, title)`),
  '0010-events': statements(`
  create table events (
    id {id},
    created varchar(24) not null,
    code varchar(50) not null,
    params text not null,
    project_id {int64} references projects (id) on delete cascade,
    user_id {int64} references users (id) on delete set null,
    username varchar(255) not null,
    via varchar(20) not null,
    via_id {int64},
    ip varchar(64) not null,
    object_type varchar(40) not null,
    object_id {int64},
    object_name text not null
  );
  create index events_by_project on events (project_id, id);
  create index events_by_user on events (user_id, id);
  create index events_by_created on events (created);
  -- The schedule or integration that launched the task. The task stays when it is deleted.
  alter table tasks add column schedule_id {int64};
  alter table tasks add column integration_id {int64}`),
  '0011-tokens': statements(`
  create table tokens (
    id {id},
    user_id {int64} not null references users (id) on delete cascade,
    name varchar(100) not null,
    scope varchar(10) not null,
    project_id {int64} references projects (id) on delete cascade,
    token_hash varchar(64) not null unique,
    hint varchar(20) not null,
    created varchar(24) not null,
    expires varchar(24),
    last_used varchar(24)
  );
  create index tokens_by_user_id on tokens (user_id);
  create index tokens_by_project_id on tokens (project_id)`),
  '0012-schedules': statements(`
  create table schedules (
    id {id},
    project_id {int64} not null references projects (id) on delete cascade,
    template_id {int64} not null,
    name varchar(100) not null,
    cron_format varchar(255) not null,
    time_zone varchar(64) not null,
    active integer not null,
    repository_id {int64},
    missed varchar(10) not null,
    next_due varchar(24),
    last_commit varchar(64),
    revision integer default 1 not null,
    constraint schedules_template foreign key (project_id, template_id)
      references templates (project_id, id) on delete cascade,
    constraint schedules_repository foreign key (project_id, repository_id)
      references repositories (project_id, id)
  );
  create index schedules_by_next_due on schedules (next_due);
  create index schedules_by_template on schedules (project_id, template_id);
  create table schedule_fires (
    id {id},
    schedule_id {int64} not null references schedules (id) on delete cascade,
    due varchar(24) not null,
    noticed varchar(24) not null,
    result varchar(10) not null,
    reason varchar(30),
    task_id {int64} references tasks (id) on delete set null,
    commit_hash varchar(64),
    code varchar(100),
    params text default '{}' not null,
    error text,
    count integer default 1 not null,
    -- A due time is handled once, by whichever server, and whatever the clock says.
    constraint schedule_fires_due unique (schedule_id, due)
  );
  create index schedule_fires_by_schedule_id_id on schedule_fires (schedule_id, id);
  create index schedule_fires_by_result on schedule_fires (result, noticed);
  -- The deletion of a task searches for rows that refer to it.
  create index schedule_fires_by_task_id on schedule_fires (task_id)`),
  '0013-integrations': statements(`
  create table integrations (
    id {id},
    project_id {int64} not null references projects (id) on delete cascade,
    name varchar(255) not null,
    revision integer default 1 not null,
    template_id {int64},
    auth_method varchar(15) not null,
    auth_header varchar(255) not null,
    auth_secret_id {int64},
    searchable integer not null,
    task_params text,
    inventory_id {int64},
    constraint integrations_name unique (project_id, name),
    constraint integrations_project unique (project_id, id),
    constraint integrations_template foreign key (project_id, template_id)
      references templates (project_id, id),
    constraint integrations_auth_secret foreign key (project_id, auth_secret_id)
      references keys (project_id, id),
    constraint integrations_inventory foreign key (project_id, inventory_id)
      references inventories (project_id, id)
  );
  -- Rows of the tables below are deleted with their integration; an alias without one is deleted
  -- with the project.
  create table integration_aliases (
    id {id},
    project_id {int64} not null references projects (id) on delete cascade,
    integration_id {int64},
    alias_hash varchar(64) not null unique,
    alias text not null,
    constraint integration_aliases_integration foreign key (project_id, integration_id)
      references integrations (project_id, id) on delete cascade
  );
  create table integration_values (
    id {id},
    project_id {int64} not null references projects (id) on delete cascade,
    integration_id {int64} not null,
    name varchar(255) not null,
    value_source varchar(10) not null,
    body_data_type varchar(10) not null,
    key varchar(255) not null,
    variable varchar(255) not null,
    constraint integration_values_integration foreign key (project_id, integration_id)
      references integrations (project_id, id) on delete cascade
  );
  create table integration_matchers (
    id {id},
    project_id {int64} not null references projects (id) on delete cascade,
    integration_id {int64} not null,
    name varchar(255) not null,
    match_type varchar(10) not null,
    body_data_type varchar(10) not null,
    key varchar(510) not null,
    method varchar(10) not null,
    value varchar(510) not null,
    constraint integration_matchers_integration foreign key (project_id, integration_id)
      references integrations (project_id, id) on delete cascade
  );
  create table integration_deliveries (
    id {id},
    project_id {int64} not null references projects (id) on delete cascade,
    integration_id {int64} not null,
    created varchar(24) not null,
    ip varchar(64) not null,
    method varchar(10) not null,
    result varchar(20) not null,
    reason varchar(100) not null,
    params text not null,
    task_id {int64} references tasks (id) on delete set null,
    replay_of {int64},
    sender_id varchar(64),
    request text not null,
    constraint integration_deliveries_integration foreign key (project_id, integration_id)
      references integrations (project_id, id) on delete cascade,
    -- A request that its sender repeats starts nothing again.
    constraint integration_deliveries_sender unique (integration_id, sender_id)
  );
  create index integration_aliases_by_integration_id on integration_aliases (integration_id);
  create index integration_values_by_integration_id on integration_values (integration_id);
  create index integration_matchers_by_integration_id on integration_matchers (integration_id);
  create index integration_deliveries_by_integration_id on integration_deliveries (integration_id);
  -- The deletion of tasks searches for their deliveries.
  create index integration_deliveries_by_task_id on integration_deliveries (task_id)`),
};
