import { sql } from 'kysely';
import type { Integration } from '#shared/api/integrations.ts';
import type { Db } from '../../db/open.ts';
import { resourceStore } from '../../db/resource.ts';
import { isSqlite } from '../../db/row.ts';
import { toTaskParams, type TaskParamsColumns } from '../../db/task-params.ts';

type IntegrationJson = Pick<TaskParamsColumns, 'task_params'>;

export const integrationStore = resourceStore<'integrations', Integration, IntegrationJson>(
  'integrations',
  {
    columns: { searchable: 'flag', task_params: 'json' },
    toEntity: ({ inventory_id, task_params, ...row }) => ({
      ...row,
      task_params: toTaskParams({ task_params, inventory_id }),
    }),
  },
);

/** The integrations that the addresses of the project reach. */
export function listSearchable(db: Db, projectId: number): Promise<Integration[]> {
  return integrationStore.list(db, projectId, { sort: 'id', where: [sql`searchable = 1`] });
}

/** Locks the integration against other deliveries until the transaction ends; false when it was deleted. */
export async function lockIntegration(db: Db, id: number): Promise<boolean> {
  const one = db.selectFrom('integrations').select('id').where('id', '=', id);
  // In SQLite only one transaction writes at a time anyway.
  const query = isSqlite(db as never) ? one : one.forUpdate();
  return (await query.executeTakeFirst()) !== undefined;
}
