import type { AppFields } from '#shared/api/apps.ts';
import type { Db } from '../../db/open.ts';
import { fromPlain, toPlain } from '../../db/plain-row.ts';
import type { NewRow, Row } from '../../db/tables.ts';

export type StoredApp = AppFields & { id: string; active: boolean };

const columns = { active: 'flag', args: 'json' } as const;

const toStored = (row: Row<'apps'>): StoredApp =>
  toPlain<Row<'apps'>, { args: string[] }>(columns, row);

export async function listStoredApps(db: Db): Promise<StoredApp[]> {
  return (await db.selectFrom('apps').selectAll().orderBy('id').execute()).map(toStored);
}

export async function findStoredApp(db: Db, id: string): Promise<StoredApp | null> {
  const row = await db.selectFrom('apps').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? toStored(row) : null;
}

export async function saveStoredApp(db: Db, { id, ...fields }: StoredApp): Promise<void> {
  const values = fromPlain(columns, fields) as Omit<NewRow<'apps'>, 'id'>;
  await db
    .insertInto('apps')
    .values({ id, ...values })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute();
}

/** False if the app has no row. */
export async function removeStoredApp(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('apps').where('id', '=', id).executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function listAppUsers(db: Db, id: string): Promise<{ id: number; name: string }[]> {
  return db
    .selectFrom('templates')
    .select(['id', 'name'])
    .where('app', '=', id)
    .orderBy('name')
    .orderBy('id')
    .execute();
}
