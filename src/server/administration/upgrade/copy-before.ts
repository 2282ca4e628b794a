// Copies the database before migrations change it. The copy gets its name when it has been read back.

import { existsSync } from 'node:fs';
import { chmod, rename, rm, stat, statfs, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '../../../node/config-error.ts';
import { MIN_FREE_BYTES } from '../../../node/fs/disk-space.ts';
import { fullDisk } from '../../../node/fs/disk-full.ts';
import type { Config } from '../../config/config.ts';
import { databaseFile } from '../../db/open.ts';
import { databaseBytes, dumpPostgres } from '../../db/snapshot/postgres-snapshot.ts';
import { copySqlite, openCopy } from '../../db/snapshot/sqlite-snapshot.ts';
import { giveToOwner, sync } from '../installation-backup/own-files.ts';
import { fileTime } from '../installation-backup/backup-name.ts';

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

// The copies of the database from before upgrades, in a folder of the data folder. The name of a copy
// contains its newest migration (`form`) and its time.

/** The number of forms of which the newest copy is kept. */
const MAX_FORMS = 2;

const namePattern = /^(?<form>[\w-]+?)-(?<time>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ)\.(?:db|pgdump)$/;
const workName = '.work';

export const copiesFolder = (dataDir: string): string => join(dataDir, 'upgrades');

async function makeFolder(dataDir: string): Promise<string> {
  const folder = copiesFolder(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  await giveToOwner(folder, dataDir);
  return folder;
}

/** Creates an empty folder for a copy under way. Only one server migrates, so leftovers can be removed. */
async function makeWorkFolder(folder: string): Promise<string> {
  const work = join(folder, workName);
  await rm(work, { recursive: true, force: true });
  await mkdir(work, { mode: 0o700 });
  return work;
}

/** The name of a copy of a database whose newest migration is `form`. */
const nameOf = (form: string, engine: 'sqlite' | 'postgres', now: Date): string =>
  `${form}-${fileTime(now.toISOString())}.${engine === 'sqlite' ? 'db' : 'pgdump'}`;

/**
 * Removes older copies. The newest one of each form stays, so that an upgrade that fails repeatedly does
 * not displace the copy from the upgrade before.
 */
async function removeOlder(folder: string): Promise<void> {
  const copies = (await readdir(folder))
    .flatMap((name) => {
      const { form = '', time = '' } = namePattern.exec(name)?.groups ?? {};
      return form === '' ? [] : [{ name, form, time }];
    })
    .toSorted((one, other) => (one.time < other.time ? 1 : -1));
  const kept = new Set<string>();
  for (const { name, form } of copies) {
    if (kept.has(form) || kept.size === MAX_FORMS) await rm(join(folder, name));
    else kept.add(form);
  }
}
