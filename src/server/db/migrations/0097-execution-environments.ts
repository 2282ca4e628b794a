import type { Migration } from 'kysely/migration';
import { statements } from './statements.ts';

/**
 * Columns that name an execution environment refer to its id only, because it may be one of the installation. It
 * never changes its project and no id is used again, so what the use cases checked stays true.
 */
export const migrations0097: Record<string, Migration> = {
  '0097-execution-environments': statements(`
  create table execution_environments (
    id {id},
    project_id {int64} references projects (id) on delete cascade,
    name varchar(100) not null,
    revision integer default 1 not null,
    description text not null,
    kind varchar(20) not null,
    folder text not null,
    packages text not null,
    python text not null,
    index_url text not null,
    image text not null,
    pull varchar(20) not null,
    registry_key_id {int64},
    network varchar(100) not null,
    mounts text not null,
    "user" varchar(100) not null,
    memory_limit_mib integer not null,
    cpu_limit_percent integer not null,
    process_limit integer not null,
    constraint execution_environments_name unique (project_id, name),
    constraint execution_environments_registry_key foreign key (project_id, registry_key_id)
      references keys (project_id, id),
    -- Without a project the foreign key is not checked.
    constraint execution_environments_key_of_project
      check (project_id is not null or registry_key_id is null)
  );
  create unique index execution_environments_of_installation on execution_environments (name)
    where project_id is null;
  create index execution_environments_by_registry_key
    on execution_environments (project_id, registry_key_id);
  alter table projects add column execution_environment_id {int64}
    references execution_environments (id);
  create index projects_by_execution_environment on projects (execution_environment_id);
  alter table templates add column execution_environment_id {int64}
    references execution_environments (id);
  alter table templates add column allow_override_execution_environment_in_task integer
    default 0 not null;
  create index templates_by_execution_environment on templates (execution_environment_id);
  alter table schedules add column execution_environment_id {int64}
    references execution_environments (id);
  create index schedules_by_execution_environment on schedules (execution_environment_id);
  alter table integrations add column execution_environment_id {int64}
    references execution_environments (id);
  create index integrations_by_execution_environment on integrations (execution_environment_id);
  alter table workflow_uses add column execution_environment_id {int64}
    references execution_environments (id);
  create index workflow_uses_by_execution_environment on workflow_uses (execution_environment_id);
  -- Not a foreign key: a launch that repeats the options of a task is refused when this one was deleted.
  alter table tasks add column execution_environment_id {int64};
  alter table tasks add column execution_kind varchar(20) default 'server' not null;
  alter table runners add column container_engine text`),
};
