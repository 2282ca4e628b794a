import { sql } from 'kysely';
import { isDiskFull } from '../../runner/system/full.ts';
import type { Db } from './open.ts';

/**
 * Does a part of a transaction that may fail: what it has written is taken back then, and the
 * transaction goes on. Without this PostgreSQL would refuse every later statement of it.
 */
export async function withSavepoint<T>(db: Db, work: () => Promise<T>): Promise<T> {
  await sql`savepoint part`.execute(db);
  try {
    const result = await work();
    await sql`release savepoint part`.execute(db);
    return result;
  } catch (error) {
    // Without room SQLite has ended the whole transaction by itself.
    if (!isDiskFull(error)) await sql`rollback to savepoint part`.execute(db);
    throw error;
  }
}
