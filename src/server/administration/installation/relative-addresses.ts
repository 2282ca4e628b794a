// Earlier versions stored whole addresses of repositories in the data folder. The first start of this
// version on a data folder makes them relative, so that the folder can move.

import type { Db } from '../../db/open.ts';
import { makeAddressesRelative } from '../../resources/repositories/repositories.ts';
import { findSetting, insertSetting } from './settings.store.ts';

export async function keepAddressesRelative(db: Db, dataDir: string): Promise<void> {
  const name = `relative_addresses:${dataDir}`;
  if ((await findSetting(db, name)) !== null) return;
  await makeAddressesRelative(db, dataDir);
  await insertSetting(db, name, 'done');
}
