// Writes sealed texts into their rows.

import type { Db } from '../db/open.ts';
import { AppError } from '../lib/errors.ts';
import {
  allSealedColumns,
  type SealedColumn,
  type SealedOwner,
  type SealedRow,
} from './sealed-columns.ts';
import { listSealedOtherwise, replaceSealed, updateSealed } from './sealed-texts.store.ts';
import type { Vault } from './vault.ts';

interface Sealing {
  db: Db;
  vault: Vault;
}

/** Seals a text into an inserted row, because the id that binds the text is known only then. */
export async function sealInto<Owners extends SealedOwner>(
  { db, vault }: Sealing,
  column: SealedColumn<Owners>,
  row: SealedRow<Owners>,
  plain: string,
): Promise<void> {
  await updateSealed(db, column, row.id, vault.seal(plain, column.at(row)));
}

const batch = 200;

export interface Resealing {
  /** Texts that begin with it stay as they are. */
  prefix: string;
  /** Whether a text that does not open stays as it is; the next use of the text reports that. */
  leavesUnopened: boolean;
}

/** Seals all texts again that do not have the prefix; returns how many there were. */
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
    const rows = await listSealedOtherwise(db, column, { prefix, after, limit: batch });
    for (const row of rows) {
      const sealed = resealed(() => vault.reseal(row.text, column.at(row)), leavesUnopened);
      if (sealed !== null) await replaceSealed(db, column, row, sealed);
      after = row.id;
    }
    count += rows.length;
    if (rows.length < batch) return count;
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
