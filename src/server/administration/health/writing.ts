// Checks whether data folder and database can be written: both may have become read-only.

import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../context/context.ts';
import { isDiskFull } from '../../../node/fs/disk-full.ts';
import { tryToWriteALittle } from '../installation/settings.ts';

/** Throws, except on a full disk, which the state of the disk reports. */
export async function writeToFolder({ config }: Pick<Context, 'config'>): Promise<void> {
  const path = join(config.dataDir, '.writable');
  try {
    await writeFile(path, '\n', { mode: 0o600 });
  } catch (error) {
    if (!isDiskFull(error)) throw error;
  } finally {
    await rm(path, { force: true });
  }
}

/** Throws, except on a full disk, which the state of the database reports. */
export async function writeToDatabase({ db }: Pick<Context, 'db'>): Promise<void> {
  try {
    await tryToWriteALittle(db);
  } catch (error) {
    if (!isDiskFull(error)) throw error;
  }
}
