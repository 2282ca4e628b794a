// Refuses to start with a master key other than the one the secrets were sealed with, and brings
// secrets that a version before has sealed to the form of now.

import { wrongKey } from '../../vault/master-keys.ts';
import { sealedColumns } from '../../vault/sealed-columns.ts';
import { resealColumns } from '../../vault/sealed-texts.ts';
import { boundPrefix, type Vault } from '../../vault/vault.ts';
import type { Db } from '../../db/open.ts';
import { findSetting, insertSetting } from './settings.store.ts';

const name = 'master_key_check';
const place = sealedColumns.masterKeyCheck.at({ id: name });
const probe = 'signalbox';

/** Whether nothing has been sealed yet, so that any key will do. */
export async function isUnsealed(db: Db): Promise<boolean> {
  return (await findSetting(db, name)) === null;
}

export async function checkMasterKey(db: Db, vault: Vault): Promise<void> {
  // The first of two processes that start at once writes it, and the other one reads that.
  await insertSetting(db, name, vault.seal(probe, place));
  const check = await requireMasterKey(db, vault);
  // The check is the last text that gets the form of now, so this is done once. Ended in the
  // middle, or begun by two servers at once, it seals what is left.
  if (check.startsWith(boundPrefix)) return;
  await resealColumns({ db, vault }, { prefix: boundPrefix, leavesUnopened: true });
}

/** Answers the text that was sealed with it, of which there are no two alike. */
export async function requireMasterKey(db: Db, vault: Vault): Promise<string> {
  const raw = (await findSetting(db, name)) ?? '';
  const isOpen = [raw, Buffer.from(raw.split(':').at(-1) ?? '', 'base64').toString('latin1')].some(
    (text) => text.includes(probe),
  );
  if (isOpen) throw new Error('Secrets are stored as they are: sealing does not work.');
  try {
    vault.open(raw, place);
    return raw;
  } catch {
    throw wrongKey();
  }
}
