import type { Db } from '../../db/open.ts';
import { toPlain, type NoJson, type Plain } from '../../db/plain-row.ts';
import type { NewRow, Row } from '../../db/tables.ts';

export async function insertToken(db: Db, values: NewRow<'tokens'>): Promise<Row<'tokens'>> {
  return db.insertInto('tokens').values(values).returningAll().executeTakeFirstOrThrow();
}

export function listTokens(db: Db, userId: number): Promise<Row<'tokens'>[]> {
  const query = db.selectFrom('tokens').selectAll().where('user_id', '=', userId);
  return query.orderBy('id', 'desc').execute();
}

export async function countTokens(db: Db, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('tokens')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Null if the user has no such token. */
export async function deleteToken(
  db: Db,
  userId: number,
  which: { id: number } | { token_hash: string },
): Promise<Row<'tokens'> | null> {
  const ofUser = db.deleteFrom('tokens').where('user_id', '=', userId);
  const query =
    'id' in which
      ? ofUser.where('id', '=', which.id)
      : ofUser.where('token_hash', '=', which.token_hash);
  return (await query.returningAll().executeTakeFirst()) ?? null;
}

/** Returns the number of deleted tokens. */
export async function deleteTokens(db: Db, userId: number): Promise<number> {
  const result = await db.deleteFrom('tokens').where('user_id', '=', userId).executeTakeFirst();
  return Number(result.numDeletedRows);
}

type StoredUser = Pick<Row<'tokens'>, 'id' | 'user_id' | 'scope' | 'project_id'> &
  Pick<Row<'tokens'>, 'last_used'> &
  Pick<Row<'users'>, 'username' | 'admin' | 'can_create_project'>;
export type TokenUser = Plain<StoredUser, NoJson>;

export async function findToken(db: Db, hash: string, now: string): Promise<TokenUser | null> {
  const row = await db
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .select(['tokens.id', 'tokens.user_id', 'tokens.scope', 'tokens.project_id'])
    .select(['tokens.last_used', 'users.username', 'users.admin', 'users.can_create_project'])
    .where('token_hash', '=', hash)
    .where((eb) => eb.or([eb('expires', 'is', null), eb('expires', '>', now)]))
    .executeTakeFirst();
  return row ? toPlain<StoredUser>({ admin: 'flag', can_create_project: 'flag' }, row) : null;
}

export async function touchToken(db: Db, id: number, now: string): Promise<void> {
  await db.updateTable('tokens').set({ last_used: now }).where('id', '=', id).execute();
}
