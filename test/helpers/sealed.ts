// Reads and changes sealed texts in the database.

import { createCipheriv, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Context } from '../../src/server/context/context.ts';
import { toMasterKey, type MasterKey } from '../../src/server/vault/master-keys.ts';
import {
  allSealedColumns,
  sealedColumns,
  type SealedColumn,
  type SealedRow,
} from '../../src/server/vault/sealed-columns.ts';
import { sealInto } from '../../src/server/vault/sealed-texts.ts';
import type { SealedPlace } from '../../src/server/vault/vault.ts';

export interface Sealed {
  column: SealedColumn;
  row: SealedRow;
  text: string;
  place: SealedPlace;
}

/** Every sealed text of the database with its place, in the order of columns and rows. */
export async function listSealed({ db }: Pick<Context, 'db'>): Promise<Sealed[]> {
  const found: Sealed[] = [];
  for (const column of allSealedColumns) {
    const { rows } = await sql<SealedRow & { text: string | null }>`
      select ${sql.ref(column.id)} as id, ${sql.ref(column.column)} as text
        ${sql.join(
          column.owners.map((owner) => sql`, ${sql.ref(owner)}`),
          sql``,
        )}
      from ${sql.table(column.table)} order by ${sql.ref(column.id)}`.execute(db);
    for (const { text, ...row } of rows) {
      if (/^v\d:/.test(text ?? ''))
        found.push({ column, row, text: text ?? '', place: column.at(row) });
    }
  }
  return found;
}

/** Puts another text into a place, as somebody can do who has write access to the database. */
export async function overwrite(
  { db }: Pick<Context, 'db'>,
  { column: { table, column, id }, row }: Pick<Sealed, 'column' | 'row'>,
  text: string,
): Promise<void> {
  await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${text}
    where ${sql.ref(id)} = ${row.id}`.execute(db);
}

/** Seals a text in one of the earlier forms, which are bound to project and purpose only. */
export function sealAsBefore(
  form: 'v1' | 'v2',
  { id, key }: MasterKey,
  plain: string,
  { olderBinding }: SealedPlace,
): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(olderBinding));
  const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  const sealed = Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64');
  return form === 'v1' ? `v1:${sealed}` : `v2:${id}:${sealed}`;
}

/** Gives the chosen texts of a database the form that an earlier version has left. */
export async function unbind(
  ctx: Context,
  masterKey: string,
  isChosen: (sealed: Sealed, index: number) => boolean = () => true,
): Promise<void> {
  const key = toMasterKey(masterKey);
  if (!key) throw new Error('no master key');
  for (const [index, sealed] of (await listSealed(ctx)).entries()) {
    if (!isChosen(sealed, index)) continue;
    const plain = ctx.vault.open(sealed.text, sealed.place);
    await overwrite(ctx, sealed, sealAsBefore('v2', key, plain, sealed.place));
  }
}

/** Adds many keys with secrets, so that a walk over them takes a while. */
export async function addManyKeys(ctx: Context, projectId: number, count = 300): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const row = { project_id: projectId, name: `Key ${index}`, type: 'ssh' as const, secret: null };
    const { id } = await ctx.db
      .insertInto('keys')
      .values(row)
      .returning('id')
      .executeTakeFirstOrThrow();
    await sealInto(ctx, sealedColumns.keySecret, { id, project_id: projectId }, '{}');
  }
}
