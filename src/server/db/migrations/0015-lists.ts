import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { initially } from '../row.ts';

/**
 * Indexes with all columns that lists are searched and filtered by, so that the rows need not be
 * read.
 */
const indexes: [name: string, table: string, columns: string[]][] = [
  ['tasks_by_project', 'tasks', ['project_id', 'id', 'template_id', 'user_id', 'status', 'search']],
  ['tasks_by_status', 'tasks', ['project_id', 'status', 'id', 'template_id', 'user_id']],
  ['tasks_by_template', 'tasks', ['template_id', 'id', 'status', 'user_id']],
  // The deletion of a user searches for their tasks too.
  ['tasks_by_user', 'tasks', ['user_id', 'project_id', 'id', 'template_id', 'status']],
  [
    'events_by_project',
    'events',
    ['project_id', 'id', 'code', 'object_type', 'user_id', 'created', 'search'],
  ],
  ['alert_channel_templates_by_project', 'alert_channel_templates', ['project_id', 'channel_id']],
];

/** Each of these indexes is the beginning of a new one. */
const replaced = ['tasks_by_project_id_id', 'tasks_by_template_id_id', 'events_by_project'];

export const lists: Migration = {
  async up(db: Kysely<never>) {
    for (const table of ['tasks', 'events']) {
      await db.schema.alterTable(table).addColumn('search', 'text', initially('')).execute();
    }
    // The same text as `searchable` in search.ts makes.
    await sql`update tasks set search = substr(lower(
      concat_ws(cast(${'\n'} as text), message, version, commit_hash, commit_message)), 1, 600)`.execute(
      db,
    );
    await sql`update events set search = substr(lower(
      concat_ws(cast(${'\n'} as text), object_name, username)), 1, 600)`.execute(db);
    for (const name of replaced) await db.schema.dropIndex(name).execute();
    for (const [name, table, columns] of indexes) {
      await db.schema.createIndex(name).on(table).columns(columns).execute();
    }
  },
};
