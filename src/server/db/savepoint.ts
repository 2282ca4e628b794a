import { sql } from 'kysely';
import { isDiskFull } from '../../node/fs/disk-full.ts';
import type { Db } from './open.ts';

/**
 * Runs a part of a transaction that may fail. When it fails, its changes are rolled back and the
 * transaction goes on; without a savepoint PostgreSQL would refuse all later statements.
 */
export async function withSavepoint<T>(db: Db, work: () => Promise<T>): Promise<T> {
  await sql`savepoint part`.execute(db);
  try {
    const result = await work();
    await sql`release savepoint part`.execute(db);
    return result;
  } catch (error) {
    // On a full disk SQLite has already ended the whole transaction itself.
    if (!isDiskFull(error)) {
      await sql`rollback to savepoint part`.execute(db);
      // The savepoint is still there, and would hide one of the same name around it.
      await sql`release savepoint part`.execute(db);
    }
    throw error;
  }
}
