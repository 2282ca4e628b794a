// Tells whether the server can write: to its data folder and to its database, which may both have
// become read-only while everything can still be read.

import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../context/context.ts';
import { isDiskFull } from '../../../node/fs/disk-full.ts';
import { tryToWriteALittle } from '../installation/settings.ts';

/** Throws the error of the folder, unless it has no room, which is told of the disk. */
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

/** Throws the error of the database, unless it has no room, which is told of the database. */
export async function writeToDatabase({ db }: Pick<Context, 'db'>): Promise<void> {
  try {
    await tryToWriteALittle(db);
  } catch (error) {
    if (!isDiskFull(error)) throw error;
  }
}
