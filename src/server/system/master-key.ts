// Refuses to start with a master key other than the one the secrets were sealed with.

import { wrongKey } from '../keys/master-keys.ts';
import type { Vault } from '../keys/vault.ts';
import type { Db } from '../db/open.ts';
import { findSetting, insertSetting } from './settings.store.ts';

export const masterKeyCheck = 'master_key_check';
const probe = 'signalbox';

/** Whether nothing has been sealed yet, so that any key will do. */
export async function isUnsealed(db: Db): Promise<boolean> {
  return (await findSetting(db, masterKeyCheck)) === null;
}

export async function checkMasterKey(db: Db, vault: Vault): Promise<void> {
  // The first of two processes that start at once writes it, and the other one reads that.
  await insertSetting(db, masterKeyCheck, vault.seal(probe, masterKeyCheck));
  await requireMasterKey(db, vault);
}

/** Answers the text that was sealed with it, of which there are no two alike. */
export async function requireMasterKey(db: Db, vault: Vault): Promise<string> {
  const raw = (await findSetting(db, masterKeyCheck)) ?? '';
  const isOpen = [raw, Buffer.from(raw.split(':').at(-1) ?? '', 'base64').toString('latin1')].some(
    (text) => text.includes(probe),
  );
  if (isOpen) throw new Error('Secrets are stored as they are: sealing does not work.');
  try {
    vault.open(raw, masterKeyCheck);
    return raw;
  } catch {
    throw wrongKey();
  }
}
