// Vaults of templates, in two tables: with keys, and with scripts that print the passwords.

import { sql } from 'kysely';
import type { Template } from '#shared/api/templates.ts';
import type { Db } from '../../db/open.ts';

export type TemplateVault = Template['vaults'][number];

/** The vaults of these templates, in their order. */
export async function listVaults(db: Db, templateIds: number[]): Promise<TemplateVault[]> {
  if (templateIds.length === 0) return [];
  const columns = ['id', 'project_id', 'template_id', 'name', 'position'] as const;
  const withScripts = db
    .selectFrom('template_vault_scripts')
    .select(columns)
    .select(({ ref }) => [
      sql<number | null>`null`.as('vault_key_id'),
      ref('script').$castTo<string | null>().as('script'),
    ])
    .where('template_id', 'in', templateIds);
  const rows = await db
    .selectFrom('template_vaults')
    .select(columns)
    .select(({ ref }) => [
      ref('vault_key_id').$castTo<number | null>().as('vault_key_id'),
      sql<string | null>`null`.as('script'),
    ])
    .where('template_id', 'in', templateIds)
    .unionAll(withScripts)
    .orderBy('position')
    .orderBy('id')
    .execute();
  return rows.map(({ position: _position, ...vault }) => ({
    ...vault,
    type: vault.script === null ? ('password' as const) : ('script' as const),
  }));
}

export type VaultValues = Omit<TemplateVault, 'id' | 'project_id' | 'template_id'>;

interface Owner {
  project_id: number;
  template_id: number;
}

/** Stores the vaults of a template in their order. A vault that stays at its place keeps its id. */
export async function saveVaults(db: Db, owner: Owner, vaults: VaultValues[]): Promise<void> {
  const placed = vaults.map((vault, position) => ({ ...vault, position }));
  const withKeys = placed.flatMap(({ vault_key_id, name, position }) =>
    vault_key_id === null ? [] : [{ ...owner, vault_key_id, name, position }],
  );
  const withScripts = placed.flatMap(({ script, name, position }) =>
    script === null ? [] : [{ ...owner, script, name, position }],
  );
  await replaceRows(db, 'template_vaults', owner, withKeys);
  await replaceRows(db, 'template_vault_scripts', owner, withScripts);
}

/** Writes these rows over the rows of the template, one by one. */
async function replaceRows(
  db: Db,
  table: 'template_vaults' | 'template_vault_scripts',
  { template_id }: Owner,
  rows: object[],
): Promise<void> {
  const before = await db
    .selectFrom(table)
    .select('id')
    .where('template_id', '=', template_id)
    .orderBy('id')
    .execute();
  const gone = before.slice(rows.length).map(({ id }) => id);
  if (gone.length > 0) await db.deleteFrom(table).where('id', 'in', gone).execute();
  for (const [index, row] of rows.entries()) {
    const { id } = before[index] ?? {};
    await (id === undefined
      ? db
          .insertInto(table)
          .values(row as never)
          .execute()
      : db
          .updateTable(table)
          .set(row as never)
          .where('id', '=', id)
          .execute());
  }
}
