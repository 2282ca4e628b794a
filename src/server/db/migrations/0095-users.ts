import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Logins and e-mail addresses keep their spelling: what makes them unique is a copy in lower case.
 * Until now both were stored in lower case. `can_create_project` null: as the setting of the server says.
 */
export const spellingOfLogins: Migration = {
  async up(db: Kysely<never>) {
    for (const name of ['username_key', 'email_key']) {
      await db.schema.alterTable('users').addColumn(name, 'text').execute();
    }
    await sql`update users set username_key = username, email_key = email`.execute(db);
    for (const name of ['username', 'email']) {
      await db.schema
        .createIndex(`users_by_${name}`)
        .unique()
        .on('users')
        .column(`${name}_key`)
        .execute();
    }
    await db.schema.alterTable('users').addColumn('can_create_project', 'integer').execute();
  },
};
