import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isSqlite } from '../row.ts';
import { runStatements } from './statements.ts';

/** Schedules and integrations start workflows, and runs say what has started them. */
export const startsOfWorkflows: Migration = {
  async up(db: Kysely<never>) {
    await runStatements(db, isSqlite(db) ? rebuildSchedules : changeSchedules);
    await runStatements(db, references);
  },
};

const changeSchedules = `
  alter table schedules alter column template_id drop not null;
  alter table schedules add column workflow_id bigint;
  alter table schedules add constraint schedules_workflow foreign key (project_id, workflow_id)
    references workflows (project_id, id)
`;

const kept = `id, project_id, template_id, name, cron_format, time_zone, active, repository_id, missed,
  next_due, last_commit, revision, task_params, inventory_id, type, run_at, delete_after_run`;

/**
 * SQLite cannot make a column optional, so the table is written again. The rows of due times, which
 * disappear with the old table, are kept meanwhile.
 */
const rebuildSchedules = `
  create table schedules_new (
    id {id},
    project_id integer not null references projects (id) on delete cascade,
    template_id integer,
    workflow_id integer,
    name varchar(100) not null,
    cron_format varchar(255) not null,
    time_zone varchar(64) not null,
    active integer not null,
    repository_id integer,
    missed varchar(10) not null,
    next_due varchar(24),
    last_commit varchar(64),
    revision integer default 1 not null,
    task_params text,
    inventory_id integer references inventories (id),
    type varchar(10) default '' not null,
    run_at varchar(24),
    delete_after_run integer default 0 not null,
    constraint schedules_template foreign key (project_id, template_id)
      references templates (project_id, id) on delete cascade,
    constraint schedules_workflow foreign key (project_id, workflow_id)
      references workflows (project_id, id),
    constraint schedules_repository foreign key (project_id, repository_id)
      references repositories (project_id, id)
  );
  insert into schedules_new (${kept}) select ${kept} from schedules;
  -- No id is used again, also not that of a schedule that was deleted.
  delete from sqlite_sequence where name = 'schedules_new';
  insert into sqlite_sequence (name, seq)
    select 'schedules_new', seq from sqlite_sequence where name = 'schedules';
  create table kept_fires as select * from schedule_fires;
  drop table schedules;
  alter table schedules_new rename to schedules;
  insert into schedule_fires select * from kept_fires;
  drop table kept_fires
`;

// The indexes of a column that refers to another table are needed by deletions there.
const references = `
  -- The table that was written again has none of its indexes; PostgreSQL lacks the last one only.
  create index if not exists schedules_by_next_due on schedules (next_due);
  create index if not exists schedules_by_template on schedules (project_id, template_id);
  create index if not exists schedules_by_inventory_id on schedules (inventory_id);
  create index if not exists schedules_by_workflow on schedules (project_id, workflow_id);
  alter table integrations add column workflow_id {int64}
    references workflows (id) on delete no action;
  create index integrations_by_workflow_id on integrations (workflow_id)
    where workflow_id is not null;
  alter table workflow_runs add column integration_id {int64}
    references integrations (id) on delete set null;
  create index workflow_runs_by_integration_id on workflow_runs (integration_id)
    where integration_id is not null;
  alter table workflow_runs add column schedule_id {int64}
    references schedules (id) on delete set null;
  -- Also finds the unfinished runs of a schedule.
  create index workflow_runs_by_schedule_id on workflow_runs (schedule_id, status)
    where schedule_id is not null;
  -- The values that came with a request, sealed.
  alter table workflow_runs add column extracted text;
  alter table schedule_fires add column workflow_run_id {int64}
    references workflow_runs (id) on delete set null;
  create index schedule_fires_by_workflow_run_id on schedule_fires (workflow_run_id)
    where workflow_run_id is not null;
  alter table integration_deliveries add column workflow_run_id {int64}
    references workflow_runs (id) on delete set null;
  create index integration_deliveries_by_workflow_run_id on integration_deliveries (workflow_run_id)
    where workflow_run_id is not null
`;
