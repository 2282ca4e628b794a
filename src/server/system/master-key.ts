// Refuses to start with a master key other than the one the secrets were sealed with.

import { wrongKey, type Vault } from '../keys/vault.ts';
import type { Db } from '../db/open.ts';
import { findSetting, insertSetting } from './settings.store.ts';

const name = 'master_key_check';
const probe = 'signalbox';

export async function checkMasterKey(db: Db, vault: Vault): Promise<void> {
  const sealed = await findSetting(db, name);
  if (sealed === null) {
    await insertSetting(db, name, vault.seal(probe, name));
    return;
  }
  try {
    vault.open(sealed, name);
  } catch {
    throw wrongKey();
  }
}
