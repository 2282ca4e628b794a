// Refuses to start with a master key other than the one the secrets were sealed with.

import { wrongKey, type Vault } from '../keys/vault.ts';
import type { Db } from '../db/open.ts';
import { findSetting, insertSetting } from './settings.store.ts';

const name = 'master_key_check';
const probe = 'signalbox';

export async function checkMasterKey(db: Db, vault: Vault): Promise<void> {
  // The first of two processes that start at once writes it, and the other one reads that.
  await insertSetting(db, name, vault.seal(probe, name));
  try {
    vault.open((await findSetting(db, name)) ?? '', name);
  } catch {
    throw wrongKey();
  }
}
