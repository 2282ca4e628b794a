import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { idType, required } from '../row.ts';

/** Channels that hear of workflows, and deliveries about their runs. */
export const alertsOfRuns: Migration = {
  async up(db: Kysely<never>) {
    await createChannelWorkflows(db);
    await db.schema.alterTable('alert_deliveries').addColumn('run_id', idType(db)).execute();
    // Finds the end of the run before, to recognise a success after a failure.
    await sql`create index workflow_runs_by_workflow_id_end
      on workflow_runs (workflow_id, "end")`.execute(db);
  },
};

async function createChannelWorkflows(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('alert_channel_workflows')
    .addColumn('project_id', idType(db), required)
    .addColumn('channel_id', idType(db), required)
    .addColumn('workflow_id', idType(db), required)
    .addPrimaryKeyConstraint('alert_channel_workflows_key', ['channel_id', 'workflow_id'])
    .addForeignKeyConstraint(
      'alert_channel_workflows_channel',
      ['project_id', 'channel_id'],
      'alert_channels',
      ['project_id', 'id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    // A channel that lost the last of its workflows would otherwise apply to all of them.
    .addForeignKeyConstraint(
      'alert_channel_workflows_workflow',
      ['project_id', 'workflow_id'],
      'workflows',
      ['project_id', 'id'],
    )
    .execute();
  for (const columns of [['project_id', 'channel_id'], ['workflow_id']]) {
    await db.schema
      .createIndex(`alert_channel_workflows_by_${columns[0]}`)
      .on('alert_channel_workflows')
      .columns(columns)
      .execute();
  }
}
