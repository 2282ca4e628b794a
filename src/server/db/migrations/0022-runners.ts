import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { idColumn, idType, initially, required } from '../row.ts';

export const runners: Migration = {
  async up(db: Kysely<never>) {
    await idColumn(db, db.schema.createTable('runners'))
      .addColumn('uid', 'varchar(36)', (column) => column.notNull().unique())
      .addColumn('session', 'varchar(36)', required)
      .addColumn('name', 'varchar(255)', required)
      .addColumn('role', 'varchar(20)', required)
      .addColumn('version', 'varchar(40)', required)
      .addColumn('max_parallel_tasks', 'integer', required)
      .addColumn('draining', 'integer', initially(0))
      .addColumn('closed', 'integer', initially(0))
      .addColumn('load', 'double precision', initially(0))
      .addColumn('started', 'varchar(24)', required)
      .addColumn('last_seen', 'varchar(24)', required)
      .execute();
    await db.schema.alterTable('tasks').addColumn('runner_id', idType(db)).execute();
    await db.schema.alterTable('tasks').addColumn('lease', 'integer', initially(0)).execute();
  },
};
