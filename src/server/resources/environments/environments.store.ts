import type { Environment, SecretType } from '#shared/api/environments.ts';
import type { Db } from '../../db/open.ts';
import { resourceStore } from '../../db/resource.ts';

/** Environments without their secrets, which are read separately. */
export const environmentStore = resourceStore<'environments', Environment>('environments', {
  columns: {},
  toEntity: ({ revision: _revision, ...row }) => ({ ...row, password: null, secrets: null }),
});

/** A secret as the database stores it. */
export interface SealedSecret {
  id: number;
  type: SecretType;
  name: string;
  /** Empty if the value is still missing. */
  secret: string;
  /** When the value was given; null: before this was recorded, or not yet. */
  secret_set: string | null;
}

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

/**
 * Removes the secrets `removed` of the environment, then writes the given ones; a secret without id
 * is new. Returns the ids of the written ones.
 */
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
