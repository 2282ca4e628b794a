// Copies the database before migrations change it. The copy gets its name when it has been read back.

import { existsSync } from 'node:fs';
import { chmod, rename, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '../../../node/config-error.ts';
import { MIN_FREE_BYTES } from '../../../node/fs/disk-space.ts';
import { fullDisk } from '../../../node/fs/disk-full.ts';
import type { Config } from '../../config/config.ts';
import { databaseFile } from '../../db/open.ts';
import { databaseBytes, dumpPostgres } from '../../db/snapshot/postgres-snapshot.ts';
import { copySqlite, openCopy } from '../../db/snapshot/sqlite-snapshot.ts';
import { giveToOwner, sync } from '../installation-backup/own-files.ts';
import { makeFolder, makeWorkFolder, nameOf, removeOlder } from './kept-copies.ts';

export interface DatabaseCopy {
  file: string;
  bytes: number;
  seconds: number;
}

// The fastest level: most of the database is logs, which are compressed already.
const compression = 1;

/** Copies the database, whose newest migration is `form`. Throws a ConfigError if it cannot. */
export async function copyBefore(config: Config, form: string): Promise<DatabaseCopy> {
  const begun = performance.now();
  const folder = await makeFolder(config.dataDir);
  const work = await makeWorkFolder(folder);
  try {
    await requireRoom(config, folder);
    const partial = join(work, 'copy');
    await copyDatabase(config, partial, work);
    await chmod(partial, 0o600);
    await giveToOwner(partial, config.dataDir);
    await sync(partial);
    const engine = config.databaseUrl === null ? 'sqlite' : 'postgres';
    const file = join(folder, nameOf(form, engine, new Date()));
    await rename(partial, file);
    await sync(folder);
    await removeOlder(folder);
    const seconds = (performance.now() - begun) / 1000;
    return { file, bytes: (await stat(file)).size, seconds };
  } catch (error) {
    throw await explained(config, folder, error);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function copyDatabase(config: Config, copy: string, work: string): Promise<void> {
  const { databaseUrl: url, path } = config;
  if (url !== null) {
    await dumpPostgres({ url, path, folder: work }, copy, compression);
    return;
  }
  await copySqlite(databaseFile(config), copy);
  await openCopy(copy, true);
}

async function requireRoom(config: Config, folder: string): Promise<void> {
  const [needed, free] = [await neededBytes(config), await freeBytes(folder)];
  if (free < needed) throw noRoom(folder, needed, free);
}

const freeBytes = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

/** A copy is at most as large as the database with its journal. */
async function neededBytes(config: Config): Promise<number> {
  if (config.databaseUrl !== null)
    return (await databaseBytes(config.databaseUrl)) + MIN_FREE_BYTES;
  const file = databaseFile(config);
  let bytes = MIN_FREE_BYTES;
  for (const path of [file, `${file}-wal`]) if (existsSync(path)) bytes += (await stat(path)).size;
  return bytes;
}

const switchOff =
  'If you have a backup of your own, SIGNALBOX_UPGRADE_BACKUP=off upgrades without this copy.';
const unchanged = 'The database is unchanged, and the version before can go on with it.';

const noRoom = (folder: string, needed: number, free: number): ConfigError =>
  new ConfigError(
    `The upgrade was not begun: a copy of the database is made before it, which needs ${needed} bytes on the disk of ${folder}, and ${free} bytes are free. ${unchanged} Make room, and start again. ${switchOff}`,
  );

async function explained(config: Config, folder: string, error: unknown): Promise<unknown> {
  const isNoSpace = fullDisk(error) === 'folder' || /No space left on device/.test(String(error));
  if (isNoSpace) return noRoom(folder, await neededBytes(config), await freeBytes(folder));
  if (!(error instanceof ConfigError) || error.message.startsWith('The upgrade was not begun')) {
    return error;
  }
  return new ConfigError(
    `The upgrade was not begun, because the copy of the database that is made before it has failed. ${error.message} ${unchanged} ${switchOff}`,
    { cause: error },
  );
}
