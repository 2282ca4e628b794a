import type { Migration } from 'kysely/migration';
import { statements } from './statements.ts';

/** A role keeps its slug, so the slug that stands beside `role_id` stays true. */
export const migrations0100: Record<string, Migration> = {
  '0100-roles': statements(`
  create table roles (
    id {id},
    project_id {int64} references projects (id) on delete cascade,
    slug varchar(20) not null,
    name varchar(100) not null,
    revision integer default 1 not null,
    description text not null,
    rights text not null,
    constraint roles_slug unique (project_id, slug),
    constraint roles_name unique (project_id, name)
  );
  create unique index roles_slug_of_installation on roles (slug) where project_id is null;
  create unique index roles_name_of_installation on roles (name) where project_id is null;
  alter table members add column role_id {int64} references roles (id);
  create index members_by_role on members (role_id);
  alter table group_rules add column role_id {int64} references roles (id);
  create index group_rules_by_role on group_rules (role_id)`),
};
