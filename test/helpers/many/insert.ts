// Puts rows into a database, many at once, on both engines.

import { createHash } from 'node:crypto';
import type { CompiledQuery } from 'kysely';
import type { Context } from '../../../src/server/context/context.ts';
import { sealedColumns } from '../../../src/server/vault/sealed-columns.ts';
import { manyRows, type AnyRow, type Size } from './rows.ts';

const atOnce = 100;
const inTransaction = 100_000;

/** Fills a database. Returns how many rows. */
export async function insertMany(ctx: Context, size: Size): Promise<number> {
  const rows = manyRows(size, {
    sealAlias: (row, alias) => ctx.vault.seal(alias, sealedColumns.alias.at(row)),
    hashAlias: (alias) => createHash('sha256').update(alias).digest('hex'),
  });
  const compiled = new Map<string, CompiledQuery>();
  let total = 0;
  for (let done = false; !done;) {
    done = await ctx.db.transaction().execute(async (trx) => {
      const insert = inserter({ ...ctx, db: trx }, compiled);
      for (let count = 0; count < inTransaction; count += 1) {
        const { value, done: isLast } = rows.next();
        if (isLast) {
          await insert.rest();
          return true;
        }
        total += 1;
        await insert.add(value);
      }
      await insert.rest();
      return false;
    });
  }
  return total;
}

/** Collects rows of one table; a statement is compiled once and then used again. */
function inserter({ db }: Context, compiled: Map<string, CompiledQuery>) {
  let table: AnyRow[0] | null = null;
  let batch: Record<string, unknown>[] = [];
  const rest = async (): Promise<void> => {
    if (table === null || batch.length === 0) return;
    const key = `${table} ${batch.length} ${Object.keys(batch[0] ?? {}).join()}`;
    const query =
      compiled.get(key) ??
      db
        .insertInto(table)
        .values(batch as never)
        .compile();
    if (batch.length === atOnce) compiled.set(key, query);
    const parameters = batch.flatMap((row) => Object.values(row));
    await db.executeQuery({ ...query, parameters });
    batch = [];
  };
  return {
    rest,
    async add([next, row]: AnyRow): Promise<void> {
      if (next !== table || batch.length === atOnce) await rest();
      table = next;
      batch.push({ ...row });
    },
  };
}
