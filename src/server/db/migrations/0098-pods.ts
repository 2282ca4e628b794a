import type { Migration } from 'kysely/migration';
import { statements } from './statements.ts';

export const migrations0098: Record<string, Migration> = {
  '0098-pods': statements(`
  alter table execution_environments add column memory_request_mib integer default 0 not null;
  alter table execution_environments add column cpu_request_percent integer default 0 not null;
  alter table execution_environments add column node_labels text default '[]' not null;
  alter table execution_environments add column tolerations text default '[]' not null;
  alter table execution_environments add column service_account varchar(253) default '' not null;
  alter table execution_environments add column pod_labels text default '[]' not null;
  alter table execution_environments add column pull_secrets text default '[]' not null`),
};
