import type { Db } from '../../db/open.ts';
import type { NewRow, Row } from '../../db/tables.ts';

/** The owner of an address: an integration, or the project when there is no integration. */
export interface AliasOwner {
  projectId: number;
  integrationId: number | null;
}

const ofOwner = (db: Db, { projectId, integrationId }: AliasOwner) =>
  db
    .selectFrom('integration_aliases')
    .select(['id', 'alias'])
    .where('project_id', '=', projectId)
    .where('integration_id', integrationId === null ? 'is' : '=', integrationId)
    .orderBy('id');

export type SealedAlias = Pick<Row<'integration_aliases'>, 'id' | 'alias'>;

export function listSealed(db: Db, owner: AliasOwner): Promise<SealedAlias[]> {
  return ofOwner(db, owner).execute();
}

export async function insertAlias(
  db: Db,
  values: Omit<NewRow<'integration_aliases'>, 'id'>,
): Promise<number> {
  const row = await db
    .insertInto('integration_aliases')
    .values(values)
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** False: the owner has no address with this id. */
export async function deleteAlias(db: Db, owner: AliasOwner, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('integration_aliases')
    .where('id', 'in', ofOwner(db, owner).clearSelect().clearOrderBy().select('id'))
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function findOwner(db: Db, aliasHash: string): Promise<AliasOwner | null> {
  const row = await db
    .selectFrom('integration_aliases')
    .select(['project_id as projectId', 'integration_id as integrationId'])
    .where('alias_hash', '=', aliasHash)
    .executeTakeFirst();
  return row ?? null;
}
