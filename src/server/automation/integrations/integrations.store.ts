import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Integration } from '#shared/api/integrations.ts';
import type { Starts } from '#shared/api/starts.ts';
import type { Db } from '../../db/open.ts';
import { findValue, insertRow } from '../../db/rows.ts';
import { resourceStore, type ListOptions } from '../../db/resource.ts';
import { isSqlite } from '../../db/row.ts';
import { splitTaskParams, type TaskParamsColumns } from '../../db/task-params.ts';
import type { NewRow, Row } from '../../db/tables.ts';

type IntegrationJson = Pick<TaskParamsColumns, 'task_params'>;

export const integrationStore = resourceStore<'integrations', Integration, IntegrationJson>(
  'integrations',
  {
    columns: { searchable: 'flag', task_params: 'json' },
    toEntity: ({ changed_by: _by, ...row }) => splitTaskParams(row),
  },
);

const starting: Record<Starts, RawBuilder<SqlBool>[]> = {
  all: [],
  // Includes those that start nothing yet, which older clients list too.
  templates: [sql`workflow_id is null`],
  workflows: [sql`workflow_id is not null`],
};

export const listStarting = (
  db: Db,
  projectId: number,
  { starts, ...options }: ListOptions & { starts: Starts },
): Promise<Integration[]> =>
  integrationStore.list(db, projectId, { ...options, where: starting[starts] });

/** The integrations that the addresses of the project reach. */
export function listSearchable(db: Db, projectId: number): Promise<Integration[]> {
  return integrationStore.list(db, projectId, { sort: 'id', where: [sql`searchable = 1`] });
}

/** The user who last changed the integration; null: unknown. */
export function findChanger(db: Db, id: number): Promise<number | null> {
  return findValue(db, 'integrations', 'changed_by', { id });
}

/** Locks the integration against other deliveries until the transaction ends; false when it was deleted. */
export async function lockIntegration(db: Db, id: number): Promise<boolean> {
  const one = db.selectFrom('integrations').select('id').where('id', '=', id);
  // In SQLite only one transaction writes at a time anyway.
  const query = isSqlite(db as never) ? one : one.forUpdate();
  return (await query.executeTakeFirst()) !== undefined;
}

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

export function insertAlias(
  db: Db,
  values: Omit<NewRow<'integration_aliases'>, 'id'>,
): Promise<number> {
  return insertRow(db, 'integration_aliases', values);
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
