import type { Db } from '../../db/open.ts';
import { toPlain, type NoJson, type Plain } from '../../db/plain-row.ts';
import { prepared } from '../../db/prepared.ts';
import type { NewRow, Row } from '../../db/tables.ts';

export async function insertSession(
  db: Db,
  values: Omit<NewRow<'sessions'>, 'id'>,
): Promise<number> {
  const insertion = db.insertInto('sessions').values(values).returning('id');
  return (await insertion.executeTakeFirstOrThrow()).id;
}

type StoredUser = Pick<Row<'sessions'>, 'id' | 'user_id' | 'created' | 'last_active' | 'provider'> &
  Pick<Row<'users'>, 'username' | 'admin' | 'can_create_project' | 'second_factor_since'>;
export type SessionUser = Plain<StoredUser, NoJson>;

export async function findSession(
  db: Db,
  tokenHash: string,
  now: string,
): Promise<SessionUser | null> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id', 'user_id', 'sessions.created', 'last_active', 'sessions.provider'])
    .select(['users.username', 'users.admin', 'users.can_create_project'])
    .select('users.second_factor_since')
    .where('token_hash', '=', tokenHash)
    .where('expires', '>', now)
    .modifyEnd(prepared('find_session'))
    .executeTakeFirst();
  return row ? toPlain<StoredUser>({ admin: 'flag', can_create_project: 'flag' }, row) : null;
}

export async function touchSession(
  db: Db,
  id: number,
  times: { last_active: string; expires: string },
): Promise<void> {
  await db.updateTable('sessions').set(times).where('id', '=', id).execute();
}

/** The columns that identify the session at the provider. */
export type RemovedSession = Pick<Row<'sessions'>, 'id' | 'provider' | 'id_token'>;

/** Null if there is no such session. */
export async function removeSession(db: Db, tokenHash: string): Promise<RemovedSession | null> {
  const row = await db
    .deleteFrom('sessions')
    .where('token_hash', '=', tokenHash)
    .returning(['id', 'provider', 'id_token'])
    .executeTakeFirst();
  return row ?? null;
}

export function listSessions(db: Db, userId: number, now: string) {
  return db
    .selectFrom('sessions')
    .select(['id', 'created', 'last_active', 'expires', 'ip', 'user_agent'])
    .where('user_id', '=', userId)
    .where('expires', '>', now)
    .orderBy('last_active', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** Returns false when the user has no session with this id. */
export async function removeSessionOf(db: Db, userId: number, id: number): Promise<boolean> {
  const query = db.deleteFrom('sessions').where('user_id', '=', userId).where('id', '=', id);
  return (await query.executeTakeFirst()).numDeletedRows > 0n;
}

export async function removeSessionsOf(
  db: Db,
  userId: number,
  keptId: number | null,
): Promise<void> {
  let query = db.deleteFrom('sessions').where('user_id', '=', userId);
  if (keptId !== null) query = query.where('id', '!=', keptId);
  await query.execute();
}

export async function removeExpiredSessions(db: Db, now: string): Promise<void> {
  await db.deleteFrom('sessions').where('expires', '<=', now).execute();
}
