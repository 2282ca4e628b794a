import type { Db } from '../db/open.ts';
import { AppError } from '../lib/errors.ts';
import {
  allSealedColumns,
  type SealedColumn,
  type SealedOwner,
  type SealedRow,
} from './sealed-columns.ts';
import { listSealedOtherwise, updateSealed } from './sealed-texts.store.ts';
import type { Vault } from './vault.ts';

interface Sealing {
  db: Db;
  vault: Vault;
}

/** Called after the insert, because the id binds the text. */
export async function sealInto<Owners extends SealedOwner>(
  { db, vault }: Sealing,
  column: SealedColumn<Owners>,
  row: SealedRow<Owners>,
  plain: string,
): Promise<void> {
  await updateSealed(db, column, { id: row.id }, vault.seal(plain, column.at(row)));
}

const BATCH_SIZE = 200;

export interface Resealing {
  /** Texts with this prefix are skipped. */
  prefix: string;
  /** Whether texts that cannot be opened are skipped; the next use of the text reports that. */
  leavesUnopened: boolean;
}

/** Reseals all texts without the prefix; returns their number. */
export async function resealColumns(at: Sealing, how: Resealing): Promise<number> {
  let count = 0;
  for (const column of allSealedColumns) count += await resealColumn(at, column, how);
  return count;
}

async function resealColumn(
  { db, vault }: Sealing,
  column: SealedColumn,
  { prefix, leavesUnopened }: Resealing,
): Promise<number> {
  let count = 0;
  let after: number | string = column.id === 'id' ? 0 : '';
  for (;;) {
    const rows = await listSealedOtherwise(db, column, { prefix, after, limit: BATCH_SIZE });
    for (const row of rows) {
      const sealed = resealed(() => vault.reseal(row.text, column.at(row)), leavesUnopened);
      if (sealed !== null) await updateSealed(db, column, row, sealed);
      after = row.id;
    }
    count += rows.length;
    if (rows.length < BATCH_SIZE) return count;
  }
}

function resealed(reseal: () => string | null, leavesUnopened: boolean): string | null {
  try {
    return reseal();
  } catch (error) {
    if (leavesUnopened && error instanceof AppError) return null;
    throw error;
  }
}
