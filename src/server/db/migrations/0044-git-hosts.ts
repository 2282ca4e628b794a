import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { idType, initially } from '../row.ts';

/** Requests of git hosts that choose the commit of a task, and commit statuses that are sent to them. */
export const gitHosts: Migration = {
  async up(db: Kysely<never>) {
    const { schema } = db;
    await schema
      .alterTable('integration_values')
      .addColumn('variable_type', 'varchar(20)', initially('environment'))
      .execute();
    await schema
      .alterTable('repositories')
      .addColumn('status_host', 'varchar(20)', initially(''))
      .execute();
    await schema
      .alterTable('repositories')
      .addColumn('status_key_id', idType(db), (column) => column.references('keys.id'))
      .execute();
    await schema
      .createIndex('repositories_by_status_key_id')
      .on('repositories')
      .column('status_key_id')
      .execute();
    await schema.alterTable('alert_deliveries').addColumn('repository_id', idType(db)).execute();
  },
};
