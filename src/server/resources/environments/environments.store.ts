import type { Environment } from '#shared/api/environments.ts';
import type { Db } from '../../db/open.ts';
import { resourceStore } from '../../db/resource.ts';
import type { Row } from '../../db/tables.ts';

/** Without their secrets, which are read separately. */
export const environmentStore = resourceStore<'environments', Environment>('environments', {
  columns: {},
  toEntity: ({ revision: _revision, ...row }) => ({ ...row, password: null, secrets: null }),
});

export type SealedSecret = Pick<
  Row<'environment_secrets'>,
  'id' | 'type' | 'name' | 'secret' | 'secret_set'
>;

export function listSecrets(
  db: Db,
  projectId: number,
  environmentId: number,
): Promise<SealedSecret[]> {
  return db
    .selectFrom('environment_secrets')
    .select(['id', 'type', 'name', 'secret', 'secret_set'])
    .where('project_id', '=', projectId)
    .where('environment_id', '=', environmentId)
    .orderBy('id')
    .execute();
}

/** Removes secrets, then inserts; a secret without id is new. Returns the ids of the inserted ones. */
export async function replaceSecrets(
  db: Db,
  where: { project_id: number; environment_id: number },
  removed: number[],
  written: (Omit<SealedSecret, 'id'> & { id?: number })[],
): Promise<number[]> {
  if (removed.length > 0) {
    await db
      .deleteFrom('environment_secrets')
      .where('project_id', '=', where.project_id)
      .where('environment_id', '=', where.environment_id)
      .where('id', 'in', removed)
      .execute();
  }
  const ids: number[] = [];
  for (const secret of written) {
    const { id } = await db
      .insertInto('environment_secrets')
      .values({ ...secret, ...where })
      .returning('id')
      .executeTakeFirstOrThrow();
    ids.push(id);
  }
  return ids;
}
