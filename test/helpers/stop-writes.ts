// Makes the database of a test take no writes for a while.

import { sql } from 'kysely';
import { isSqlite } from '../../src/server/db/row.ts';
import type { TestApp } from './app.ts';

/** Makes the database read-only, as one is from which another has taken over. Returns what allows writes again. */
export async function stopWrites({ ctx }: TestApp): Promise<() => Promise<void>> {
  const set = async (isOn: boolean): Promise<void> => {
    if (isSqlite(ctx.db as never)) {
      await sql`pragma query_only = ${sql.lit(isOn ? 1 : 0)}`.execute(ctx.db);
      return;
    }
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(ctx.db);
    const database = sql.id(rows[0]?.name ?? '');
    // A session keeps the setting with which it began.
    await ctx.db.connection().execute(async (one) => {
      await sql`set default_transaction_read_only = off`.execute(one);
      await sql`alter database ${database} set default_transaction_read_only = ${sql.lit(isOn ? 'on' : 'off')}`.execute(
        one,
      );
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`.execute(one);
      await sql`set default_transaction_read_only = ${sql.lit(isOn ? 'on' : 'off')}`.execute(one);
    });
  };
  await set(true);
  return () => set(false);
}
