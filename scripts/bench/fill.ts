// Fills the database of a data folder in which a server was started before.

import { sql } from 'kysely';
import { createLog } from '../../src/node/log/log.ts';
import { loadConfig } from '../../src/server/config/config.ts';
import type { Context } from '../../src/server/context/context.ts';
import { openContext } from '../../src/server/open-context.ts';
import { insertMany } from '../../test/helpers/many/insert.ts';
import type { Size } from '../../test/helpers/many/rows.ts';

export async function fillFolder(dataDir: string, size: Size): Promise<void> {
  const config = { ...loadConfig({}), dataDir };
  const ctx = await openContext({ config, log: createLog('fatal') });
  try {
    await fill(ctx, size);
  } finally {
    await ctx.close();
  }
}

/** Fills an SQLite database; returns the number of rows. Indexes are created last, which is faster. */
export async function fill(ctx: Context, size: Size): Promise<number> {
  const run = (statement: string) => sql.raw(statement).execute(ctx.db);
  for (const pragma of ['cache_size = -1000000', 'foreign_keys = off', 'synchronous = off']) {
    await run(`pragma ${pragma}`);
  }
  const { rows: indexes } = await sql<{ name: string; sql: string }>`
    select name, sql from sqlite_master
    where type = 'index' and sql is not null and tbl_name in ('tasks', 'events')`.execute(ctx.db);
  for (const { name } of indexes) await run(`drop index ${name}`);
  const count = await insertMany(ctx, size);
  for (const index of indexes) await run(index.sql);
  return count;
}
