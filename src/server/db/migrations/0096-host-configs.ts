import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { idColumn, idType, initially, required } from '../row.ts';

/** The keys for hosts and prefixes of addresses; `name` is the host or the prefix. */
export const hostConfigs: Migration = {
  async up(db: Kysely<never>) {
    await idColumn(db, db.schema.createTable('host_configs'))
      .addColumn('project_id', idType(db), (column) =>
        column.notNull().references('projects.id').onDelete('cascade'),
      )
      .addColumn('name', 'varchar(255)', required)
      .addColumn('revision', 'integer', initially(1))
      .addColumn('type', 'varchar(10)', required)
      .addColumn('ssh_key_id', idType(db), required)
      .addUniqueConstraint('host_configs_name', ['project_id', 'name'])
      .addForeignKeyConstraint('host_configs_ssh_key', ['project_id', 'ssh_key_id'], 'keys', [
        'project_id',
        'id',
      ])
      .execute();
    await db.schema
      .createIndex('host_configs_by_ssh_key')
      .on('host_configs')
      .columns(['project_id', 'ssh_key_id'])
      .execute();
  },
};
