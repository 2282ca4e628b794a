// Named values of the whole installation.

import { randomBytes } from 'node:crypto';
import type { Db } from '../../db/open.ts';

/** Throws when the database is unavailable. */
export async function askDatabase(db: Db): Promise<void> {
  await db.selectFrom('settings').select('name').limit(1).execute();
}

export async function findSetting(db: Db, name: string): Promise<string | null> {
  const row = await db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.value ?? null;
}

/** Does not change an existing setting. */
export async function insertSetting(db: Db, name: string, value: string): Promise<void> {
  await db
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
}

/** Writes a setting, also over an existing one. */
export async function putSetting(db: Db, name: string, value: string): Promise<void> {
  await db
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** Throws if the database has no room: inserts and deletes bytes that cannot be compressed. */
export async function tryToWrite(db: Db): Promise<void> {
  const name = 'room';
  const value = randomBytes(probeSize).toString('base64');
  await db.transaction().execute(async (trx) => {
    await trx.insertInto('settings').values({ name, value }).execute();
    await trx.deleteFrom('settings').where('name', '=', name).execute();
  });
}

/** Throws if the database is read-only; the transaction is rolled back. */
export async function tryToWriteALittle(db: Db): Promise<void> {
  const rollback = new Error('Nothing is to be stored.');
  const writing = db.transaction().execute(async (trx) => {
    await trx.insertInto('settings').values({ name: 'probe', value: '' }).execute();
    throw rollback;
  });
  await writing.catch((error: unknown) => {
    if (error !== rollback) throw error;
  });
}

// In bytes.
const probeSize = 64 * 1024;
