import { sql } from 'kysely';
import { isDiskFull } from '../../node/fs/disk-full.ts';
import type { Db } from './open.ts';

/** Rolls back only this part of a transaction when it fails; PostgreSQL would abort all of it. */
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
