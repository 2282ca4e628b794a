// Refuses to start with another master key than the one that has sealed the secrets, and reseals secrets
// of earlier versions in the current form.

import { wrongKey } from '../../vault/master-keys.ts';
import { sealedColumns } from '../../vault/sealed-columns.ts';
import { resealColumns } from '../../vault/sealed-texts.ts';
import { boundPrefix, type Vault } from '../../vault/vault.ts';
import type { Db } from '../../db/open.ts';
import { findSetting, insertSetting } from './settings.store.ts';

const name = 'master_key_check';
const place = sealedColumns.masterKeyCheck.at({ id: name });
const probe = 'signalbox';

/** Whether nothing has been sealed yet, so that any key is right. */
export async function isUnsealed(db: Db): Promise<boolean> {
  return (await findSetting(db, name)) === null;
}

export async function checkMasterKey(db: Db, vault: Vault): Promise<void> {
  // Of two processes that start at once, the first writes the check, and the other one reads it.
  await insertSetting(db, name, vault.seal(probe, place));
  const check = await requireMasterKey(db, vault);
  // The check is resealed last, so it marks the completion of all others. An interrupted start, or two at
  // once, reseal what is left.
  if (check.startsWith(boundPrefix)) return;
  await resealColumns({ db, vault }, { prefix: boundPrefix, leavesUnopened: true });
}

/** Returns the sealed check, which differs at each installation. */
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
