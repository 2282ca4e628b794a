import type { Db } from '../../db/open.ts';
import type { Row } from '../../db/tables.ts';

export type FactorRow = Pick<
  Row<'users'>,
  'id' | 'username' | 'second_factor_secret' | 'second_factor_since'
>;

export async function findFactor(db: Db, userId: number): Promise<FactorRow | null> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'username', 'second_factor_secret', 'second_factor_since'])
    .where('id', '=', userId)
    .executeTakeFirst();
  return row ?? null;
}

/** Returns false when a confirmed secret exists. */
export async function updateSecret(db: Db, userId: number, sealed: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ second_factor_secret: sealed, second_factor_step: 0 })
    .where('id', '=', userId)
    .where('second_factor_since', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Returns false when the secret was confirmed or replaced meanwhile. */
export async function confirmSecret(
  db: Db,
  { id, second_factor_secret: sealed }: FactorRow,
  { since, step }: { since: string; step: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ second_factor_since: since, second_factor_step: step })
    .where('id', '=', id)
    .where('second_factor_since', 'is', null)
    .where('second_factor_secret', '=', sealed)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Returns false when a code of this or a later time step was used; of concurrent requests, one succeeds. */
export async function takeStep(db: Db, userId: number, step: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ second_factor_step: step })
    .where('id', '=', userId)
    .where('second_factor_since', 'is not', null)
    .where('second_factor_step', '<', step)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Returns false when there was none. */
export async function removeFactor(db: Db, userId: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ second_factor_secret: null, second_factor_since: null, second_factor_step: 0 })
    .where('id', '=', userId)
    .where('second_factor_since', 'is not', null)
    .executeTakeFirst();
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  return numUpdatedRows > 0n;
}

export async function replaceRecoveryCodes(
  db: Db,
  userId: number,
  hashes: string[],
): Promise<void> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  const rows = hashes.map((hash) => ({ user_id: userId, code_hash: hash }));
  await db.insertInto('recovery_codes').values(rows).execute();
}

/** Returns false when there is no such code; of concurrent requests, one succeeds. */
export async function takeRecoveryCode(db: Db, userId: number, hash: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function countRecoveryCodes(db: Db, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_codes')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return Number(count);
}
