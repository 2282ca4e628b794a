import { sql } from 'kysely';
import type { Db } from '../db/open.ts';
import type { SealedColumn, SealedRow } from './sealed-columns.ts';

export type SealedText = SealedRow & { text: string };

/** Some rows whose text was not sealed with this key, in the order of their ids. */
export async function listSealedBefore(
  db: Db,
  { table, column, id, given }: SealedColumn,
  { prefix, after, limit }: { prefix: string; after: number | string; limit: number },
): Promise<SealedText[]> {
  const others = given.map((name) => sql`, ${sql.ref(name)}`);
  const { rows } = await sql<SealedText>`
    select ${sql.ref(id)} as id, ${sql.ref(column)} as text ${sql.join(others, sql``)}
    from ${sql.table(table)}
    where (${sql.ref(column)} like ${'v1:%'} or ${sql.ref(column)} like ${'v2:%'})
      and ${sql.ref(column)} not like ${`${prefix}%`} and ${sql.ref(id)} > ${after}
    order by ${sql.ref(id)} limit ${limit}`.execute(db);
  return rows;
}

/** Unless somebody has changed it meanwhile. */
export async function replaceSealed(
  db: Db,
  { table, column, id: key }: SealedColumn,
  { id, text }: Pick<SealedText, 'id' | 'text'>,
  sealed: string,
): Promise<void> {
  await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${sealed}
    where ${sql.ref(key)} = ${id} and ${sql.ref(column)} = ${text}`.execute(db);
}
