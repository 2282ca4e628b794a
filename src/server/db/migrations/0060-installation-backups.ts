import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { idColumn, required } from '../row.ts';

/**
 * The scheduled backups of the installation. With this version, addresses of repositories in the data
 * folder are stored relative to it, which earlier versions do not understand.
 */
export const installationBackups: Migration = {
  async up(db: Kysely<never>) {
    await idColumn(db, db.schema.createTable('installation_backups'))
      .addColumn('due', 'varchar(24)', (column) => column.notNull().unique())
      .addColumn('server', 'text', required)
      .addColumn('started', 'varchar(24)', required)
      .addColumn('end', 'varchar(24)')
      .addColumn('file', 'text')
      .addColumn('bytes', 'bigint')
      .addColumn('failure', 'text')
      .execute();
  },
};
