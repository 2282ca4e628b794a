import { sql } from 'kysely';
import type { Integration } from '#shared/api/integrations.ts';
import { fullTaskParams } from '#shared/launch.ts';
import type { Db } from '../db/open.ts';
import { resourceStore } from '../db/resource.ts';
import { isSqlite } from '../db/row.ts';

export const integrationStore = resourceStore<'integrations', Integration>('integrations', {
  columns: { searchable: 'flag' },
  toEntity: ({ inventory_id, task_params, ...row }) => ({
    ...row,
    task_params:
      task_params === null ? null : fullTaskParams({ ...JSON.parse(task_params), inventory_id }),
  }),
});

/** Those of the project that its own addresses reach. */
export function listSearchable(db: Db, projectId: number): Promise<Integration[]> {
  return integrationStore.list(db, projectId, { sort: 'id', where: [sql`searchable = 1`] });
}

/** Holds off other deliveries of the integration until the transaction ends; false: it is gone. */
export async function lockIntegration(db: Db, id: number): Promise<boolean> {
  const one = db.selectFrom('integrations').select('id').where('id', '=', id);
  // A transaction of SQLite that writes is alone anyway.
  const query = isSqlite(db as never) ? one : one.forUpdate();
  return (await query.executeTakeFirst()) !== undefined;
}
