// The id of the installation, by which runners separate the data of several installations. It is stored in
// the database, so that it stays the same on another machine and in a backup.

import { randomUUID } from 'node:crypto';
import type { Db } from '../../db/open.ts';
import { findSetting, insertSetting } from './settings.store.ts';

const name = 'installation_id';

export async function installationId(db: Db): Promise<string> {
  const known = await findSetting(db, name);
  if (known !== null) return known;
  // Of two servers that start at once, the first writes the id.
  await insertSetting(db, name, randomUUID());
  return installationId(db);
}
