import type { Option } from '#shared/api/options.ts';
import type { Db } from '../../db/open.ts';

export async function listOwnOptions(db: Db, userId: number): Promise<Option[]> {
  return db
    .selectFrom('user_options')
    .select(['key', 'value'])
    .where('user_id', '=', userId)
    .orderBy('key')
    .execute();
}

/** Inserts or updates an option. */
export async function writeOwnOption(
  db: Db,
  userId: number,
  { key, value }: Option,
): Promise<void> {
  await db
    .insertInto('user_options')
    .values({ user_id: userId, key, value })
    .onConflict((conflict) => conflict.columns(['user_id', 'key']).doUpdateSet({ value }))
    .execute();
}
