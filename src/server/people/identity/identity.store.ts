// Unfinished sign-ins at providers, and the identities of accounts there.

import type { Db } from '../../db/open.ts';
import type { NewRow, Row } from '../../db/tables.ts';

export async function insertState(db: Db, values: NewRow<'oidc_states'>): Promise<void> {
  await db.insertInto('oidc_states').values(values).execute();
}

/** Deletes and answers an unfinished sign-in, so that its state works once; null when this browser has no such state. */
export async function takeState(
  db: Db,
  {
    stateHash,
    browserHash,
    provider,
    now,
  }: Record<'stateHash' | 'browserHash' | 'provider' | 'now', string>,
): Promise<{ page: string } | null> {
  const row = await db
    .deleteFrom('oidc_states')
    .where('state_hash', '=', stateHash)
    .where('browser_hash', '=', browserHash)
    .where('provider', '=', provider)
    .where('expires', '>', now)
    .returning('page')
    .executeTakeFirst();
  return row ?? null;
}

export async function removeExpiredStates(db: Db, now: string): Promise<void> {
  await db.deleteFrom('oidc_states').where('expires', '<=', now).execute();
}

export async function findIdentity(
  db: Db,
  provider: string,
  subject: string,
): Promise<Row<'user_identities'> | null> {
  const row = await db
    .selectFrom('user_identities')
    .selectAll()
    .where('provider', '=', provider)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row ?? null;
}

export function listIdentities(db: Db, userId: number): Promise<Row<'user_identities'>[]> {
  return db.selectFrom('user_identities').selectAll().where('user_id', '=', userId).execute();
}

export async function insertIdentity(db: Db, values: NewRow<'user_identities'>): Promise<void> {
  await db.insertInto('user_identities').values(values).execute();
}
