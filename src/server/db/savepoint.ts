import { sql } from 'kysely';
import { isDiskFull } from '../../node/fs/disk-full.ts';
import type { Db } from './open.ts';

/**
 * Runs a part of a transaction that may fail. On failure only this part is rolled back; without a savepoint
 * PostgreSQL would abort the transaction.
 */
export async function withSavepoint<T>(db: Db, work: () => Promise<T>): Promise<T> {
  await sql`savepoint part`.execute(db);
  try {
    const result = await work();
    await sql`release savepoint part`.execute(db);
    return result;
  } catch (error) {
    // On a full disk SQLite has rolled back the whole transaction.
    if (!isDiskFull(error)) {
      await sql`rollback to savepoint part`.execute(db);
      // A rollback keeps the savepoint, which would shadow an outer one.
      await sql`release savepoint part`.execute(db);
    }
    throw error;
  }
}
