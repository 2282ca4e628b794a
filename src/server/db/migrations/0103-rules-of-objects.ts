import type { Migration } from 'kysely/migration';
import { objects } from './0101-grants.ts';
import { statements } from './statements.ts';

const noLimits =
  '{"tags":[],"hosts":[],"branches":[],"answers":{},"dry_run":false,"hours":null,"second_person":false}';

/** A group rule can give its role on one object, with limits. */
export const migrations0103: Record<string, Migration> = {
  '0103-rules-of-objects': statements(`
  alter table group_rules add column limits text default '${noLimits}' not null;
  ${Object.entries(objects)
    .map(
      ([type, table]) => `
  alter table group_rules add column ${type}_id {int64} references ${table} (id) on delete cascade;
  create index group_rules_by_${type} on group_rules (${type}_id) where ${type}_id is not null`,
    )
    .join(';')}`),
};
