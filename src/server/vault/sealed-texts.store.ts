import { sql } from 'kysely';
import type { Db } from '../db/open.ts';
import type { SealedColumn, SealedRow } from './sealed-columns.ts';

export type SealedText = SealedRow & { text: string };

/** Rows whose sealed text lacks the prefix, ordered by id. */
export async function listSealedOtherwise(
  db: Db,
  { table, column, id, owners }: SealedColumn,
  { prefix, after, limit }: { prefix: string; after: number | string; limit: number },
): Promise<SealedText[]> {
  const others = owners.map((name) => sql`, ${sql.ref(name)}`);
  const text = sql.ref(column);
  const isSealed = ['v1:%', 'v2:%', 'v3:%'].map((form) => sql`${text} like ${form}`);
  const { rows } = await sql<SealedText>`
    select ${sql.ref(id)} as id, ${text} as text ${sql.join(others, sql``)}
    from ${sql.table(table)}
    where (${sql.join(isSealed, sql` or `)})
      and ${text} not like ${`${prefix}%`} and ${sql.ref(id)} > ${after}
    order by ${sql.ref(id)} limit ${limit}`.execute(db);
  return rows;
}

/** With `text`, writes only if the stored text still equals it. */
export async function updateSealed(
  db: Db,
  { table, column, id: key }: Pick<SealedColumn, 'table' | 'column' | 'id'>,
  { id, text }: Pick<SealedText, 'id'> & Partial<Pick<SealedText, 'text'>>,
  sealed: string,
): Promise<void> {
  const isUnchanged = text === undefined ? sql`` : sql`and ${sql.ref(column)} = ${text}`;
  await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${sealed}
    where ${sql.ref(key)} = ${id} ${isUnchanged}`.execute(db);
}
