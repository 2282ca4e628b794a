import type { Option } from '#shared/api/options.ts';
import type { Db } from '../../db/open.ts';

export async function listOptions(db: Db): Promise<Option[]> {
  return db.selectFrom('options').selectAll().orderBy('key').execute();
}

/** Adds it, or gives it this value. */
export async function writeOption(db: Db, { key, value }: Option): Promise<void> {
  await db
    .insertInto('options')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}
