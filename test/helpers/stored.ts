// Reads everything that a database stores, as bytes, to search for what it must not contain.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { databaseFile, openDatabase } from '../../src/server/db/open.ts';
import type { SearchedBytes } from './canaries.ts';

interface Installation {
  dataDir: string;
  /** Null means SQLite in the data folder. */
  databaseUrl: string | null;
}

/** Every row of every table, and for SQLite its files too, in which deleted rows may remain. */
export async function readStored({ dataDir, databaseUrl }: Installation): Promise<SearchedBytes[]> {
  const db = openDatabase(databaseUrl ?? `sqlite:${databaseFile({ dataDir })}`);
  const found: SearchedBytes[] = [];
  // On PostgreSQL the jobs too, which are in a schema of their own.
  for (const { name: table, schema } of await db.introspection.getTables()) {
    const isOurs = schema === undefined || schema === 'public';
    const name = isOurs ? table : `${schema}.${table}`;
    const { rows } = await sql<object>`select * from ${sql.table(name)}`.execute(db);
    const values = rows.flatMap((row) => Object.values(row) as (Buffer | string | number | null)[]);
    const texts = values.map((value) =>
      Buffer.isBuffer(value) ? value : Buffer.from(`${value}\n`),
    );
    found.push({ name: `table ${name}`, bytes: Buffer.concat(texts) });
  }
  await db.destroy();
  const files = (await readdir(dataDir)).filter((name) => name.startsWith('signalbox.db'));
  for (const name of files) found.push({ name, bytes: await readFile(join(dataDir, name)) });
  return found;
}
