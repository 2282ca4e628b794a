import type { Db } from '../../db/open.ts';
import { fromPlain, toPlain, type NoJson, type Plain } from '../../db/plain-row.ts';
import type { NewRow, Row } from '../../db/tables.ts';

const columns = { verified: 'flag' } as const;

type Identity = Plain<Row<'user_identities'>, NoJson>;

const toIdentity = (row: Row<'user_identities'>): Identity =>
  toPlain<Row<'user_identities'>>(columns, row);

export async function insertState(db: Db, values: NewRow<'oidc_states'>): Promise<void> {
  await db.insertInto('oidc_states').values(values).execute();
}

/** Deletes and returns a pending sign-in, so that its state works once; null when this browser has none. */
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
): Promise<Identity | null> {
  const row = await db
    .selectFrom('user_identities')
    .selectAll()
    .where('provider', '=', provider)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row ? toIdentity(row) : null;
}

export async function listIdentities(db: Db, userId: number): Promise<Identity[]> {
  const query = db.selectFrom('user_identities').selectAll().where('user_id', '=', userId);
  return (await query.execute()).map(toIdentity);
}

export async function insertIdentity(
  db: Db,
  values: Plain<NewRow<'user_identities'>, NoJson>,
): Promise<void> {
  const row = fromPlain(columns, values) as NewRow<'user_identities'>;
  await db.insertInto('user_identities').values(row).execute();
}
