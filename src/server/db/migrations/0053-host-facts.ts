import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { idColumn, idType, initially, required } from '../row.ts';

/** The facts of hosts: which ones a project keeps, and which ones a host had in a run. */
export const hostFacts: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .alterTable('projects')
      .addColumn('host_facts', 'text', initially('[]'))
      .execute();
    await idColumn(db, db.schema.createTable('fact_sets'))
      .addColumn('project_id', idType(db), (column) =>
        column.notNull().references('projects.id').onDelete('cascade'),
      )
      .addColumn('hash', 'varchar(64)', required)
      .addColumn('facts', 'text', required)
      .addUniqueConstraint('fact_sets_by_hash', ['project_id', 'hash'])
      .execute();
    await db.schema
      .alterTable('task_hosts')
      .addColumn('fact_set_id', idType(db), (column) => column.references('fact_sets.id'))
      .execute();
    // Most runs tell no facts.
    await sql`create index task_hosts_by_facts on task_hosts (fact_set_id, project_id, host, task_id)
      where fact_set_id is not null`.execute(db);
  },
};
