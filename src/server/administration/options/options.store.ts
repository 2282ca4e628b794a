import type { Option } from '#shared/api/options.ts';
import type { Db } from '../../db/open.ts';

export async function listOptions(db: Db): Promise<Option[]> {
  return db.selectFrom('options').selectAll().orderBy('key').execute();
}

/** Adds an option, or changes its value. */
export async function writeOption(db: Db, { key, value }: Option): Promise<void> {
  await db
    .insertInto('options')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}
