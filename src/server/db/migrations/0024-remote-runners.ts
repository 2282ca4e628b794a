import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { initially } from '../row.ts';

export const remoteRunners: Migration = {
  async up(db: Kysely<never>) {
    const alter = () => db.schema.alterTable('runners');
    await alter().addColumn('remote', 'integer', initially(0)).execute();
    await alter().addColumn('registration', 'varchar(64)').execute();
    await alter().addColumn('registration_expires', 'varchar(24)').execute();
    await alter().addColumn('credential', 'varchar(64)').execute();
    await alter().addColumn('public_key', 'varchar(500)').execute();
  },
};
