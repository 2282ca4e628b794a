// Makes a backup of the installation while servers work on it:
//   the database is copied → everything is packed into one archive → the archive is read back, and the
//   database in it opened. A backup in a folder gets its name only when all of this has succeeded.

import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { localPath } from '#shared/git/repository-url.ts';
import { ConfigError } from '../../../node/config-error.ts';
import { isAllowedFolder } from '../../../runner/config/runner-config.ts';
import { holdFile } from '../../../node/fs/folder-lock.ts';
import { MIN_FREE_BYTES } from '../../../node/fs/disk-space.ts';
import { fullDisk } from '../../../node/fs/disk-full.ts';
import { version } from '../../../node/process/version.ts';
import type { Config } from '../../config/config.ts';
import type { GivenSettings } from '../../config/read-settings.ts';
import { databaseFile, openDatabase } from '../../db/open.ts';
import { checkDump, dumpPostgres } from '../../db/snapshot/postgres-snapshot.ts';
import type { Snapshot } from '../../db/snapshot/snapshot.ts';
import { copySqlite, openCopy } from '../../db/snapshot/sqlite-snapshot.ts';
import { keyLines, openMasterKeys, type MasterKeys } from '../../vault/master-keys.ts';
import { createVault } from '../../vault/vault.ts';
import { requireMasterKey } from '../installation/check-master-key.ts';
import { DamagedBackup, readArchive } from './archive-reader.ts';
import { archiveOf, type Member } from './archive-writer.ts';
import { backupName } from './backup-name.ts';
import { dataFiles } from './data-files.ts';
import { formatVersion, members, type Manifest } from './manifest.ts';
import { giveToOwner, makeWorkFolder, sync, writeKey } from './own-files.ts';
import { refuseUnfinishedRestore } from './unfinished-restore.ts';
import { sendBackup } from './send-backup.ts';

/** Where a backup goes: a folder, a stream, or the standard input of a program. */
export type Target =
  | { folder: string }
  | { stream: Writable }
  | { program: string[]; environment: Record<string, string> };

export interface BackupOrder {
  config: Config;
  settings: GivenSettings;
  target: Target;
  /** The file for the master key; null: none. */
  keyFile: string | null;
}

export interface MadeBackup {
  /** The path of the backup; null if it was not stored in a folder. */
  file: string | null;
  manifest: Manifest;
  bytes: number;
  /** What could not be part of the backup, and why. */
  left: { path: string; why: string }[];
}

export async function makeBackup(order: BackupOrder): Promise<MadeBackup> {
  const { config, target } = order;
  const { dataDir } = config;
  const parent = 'folder' in target ? target.folder : dataDir;
  refuseUnfinishedRestore(dataDir);
  const unlock = await holdFile(join(dataDir, 'backup.lock'), 0);
  if (!unlock) throw new ConfigError('Another backup of this installation is being made.');
  let work: string | null = null;
  try {
    work = await makeWorkFolder(parent, dataDir);
    return await inWorkFolder(order, work);
  } catch (error) {
    throw explained(error, parent);
  } finally {
    if (work !== null) await rm(work, { recursive: true, force: true });
    unlock();
  }
}

async function inWorkFolder(order: BackupOrder, work: string): Promise<MadeBackup> {
  const { config, target, keyFile } = order;
  const keys = await rightKeys(config);
  const before = keyLines(keys);
  if (keyFile !== null) {
    const backups = 'folder' in target ? target.folder : null;
    await writeKey(keyFile, before, { dataDir: config.dataDir, backups });
  }
  const { copy, snapshot } = await copyDatabase(order, work);
  if (keyLines(keys) !== before) {
    throw new ConfigError('The master key was changed meanwhile. Make the backup again.');
  }
  const manifest = describe(config, snapshot, keys);
  const left = outside(config, snapshot);
  const list = everything(order, { manifest, copy, left });
  const archive = archiveOf(list, work);
  let bytes = 0;
  archive.on('data', (piece: Buffer) => (bytes += piece.length));
  const file = await deliver(order, { archive, manifest, work, copy });
  return { file, manifest, bytes, left };
}

/** Throws if the master keys are not those of the database. */
async function rightKeys(config: Config): Promise<MasterKeys> {
  const file = databaseFile(config);
  if (config.databaseUrl === null && !existsSync(file)) {
    throw new ConfigError(`There is no database ${file} to back up.`);
  }
  const keys = openMasterKeys(config, false);
  const db = openDatabase(config.databaseUrl ?? `sqlite:${file}`);
  try {
    await requireMasterKey(db, createVault(keys));
    return keys;
  } finally {
    await db.destroy();
  }
}

async function copyDatabase(
  { config, target }: BackupOrder,
  work: string,
): Promise<{ copy: string; snapshot: Snapshot }> {
  const { databaseUrl: url, path } = config;
  const copy = join(work, 'database');
  if (url !== null)
    return { copy, snapshot: await dumpPostgres({ url, path, folder: work }, copy) };
  const file = databaseFile(config);
  const { size } = await stat(file);
  const { bavail, bsize } = await statfs(work);
  if (bavail * bsize < size + MIN_FREE_BYTES) throw fullDiskOf(dirname(work));
  await copySqlite(file, copy);
  // A backup in a folder is checked when it is read back.
  return { copy, snapshot: await openCopy(copy, !('folder' in target)) };
}

const describe = ({ dataDir }: Config, snapshot: Snapshot, keys: MasterKeys): Manifest => ({
  product: 'signalbox',
  format: formatVersion,
  version,
  created: new Date().toISOString(),
  engine: snapshot.engine,
  migrations: snapshot.migrations,
  rows: snapshot.rows,
  data_dir: dataDir,
  key_ids: keys().map(({ id }) => id),
});

/** The local repositories that lie in other folders of this machine. */
const outside = ({ dataDir }: Config, { repositories }: Snapshot): MadeBackup['left'] =>
  [...new Set(repositories.map((url) => localPath(url) ?? url))]
    .filter(
      (path) => !isAllowedFolder({ localRepositories: [join(dataDir, 'repositories')] }, path),
    )
    .map((path) => ({ path, why: 'the repository lies outside of the data folder' }));

async function* everything(
  { config, settings }: BackupOrder,
  { manifest, copy, left }: { manifest: Manifest; copy: string; left: MadeBackup['left'] },
): AsyncIterable<Member> {
  const mtime = new Date();
  const own = { type: 'file', mode: 0o600, mtime } as const;
  const text = (path: string, content: string): Member => {
    const bytes = Buffer.from(content);
    return { ...own, path, size: bytes.length, content: bytes };
  };
  yield text(members.manifest, `${JSON.stringify(manifest, null, 2)}\n`);
  const path = members[manifest.engine];
  const content = createReadStream(copy) as AsyncIterable<Buffer>;
  yield { ...own, path, size: (await stat(copy)).size, content };
  yield text(members.settings, settings.lines);
  if (settings.identity !== null) yield text(members.identity, settings.identity);
  yield* dataFiles(config.dataDir, (name, why) => left.push({ path: name, why }));
}

interface Packed {
  archive: Readable;
  manifest: Manifest;
  work: string;
  /** The copy of the database. */
  copy: string;
}

/** Returns the path of the file; null for other targets. */
async function deliver(order: BackupOrder, packed: Packed): Promise<string | null> {
  const { target } = order;
  if ('folder' in target) return store(order, target.folder, packed);
  if ('program' in target) await sendBackup(packed.archive, target.program, target.environment);
  else {
    target.stream.once('error', (error) => packed.archive.destroy(error));
    packed.archive.pipe(target.stream, { end: false });
    await finished(packed.archive);
  }
  return null;
}

async function store(
  { config }: BackupOrder,
  folder: string,
  { archive, manifest, work, copy }: Packed,
): Promise<string> {
  const partial = join(work, 'archive');
  await pipeline(archive, createWriteStream(partial, { flags: 'wx', mode: 0o600 }));
  await rm(copy);
  await readBack(config, { partial, work, manifest });
  await giveToOwner(partial, config.dataDir);
  await sync(partial);
  const file = freeName(folder, manifest);
  await rename(partial, file);
  await sync(folder);
  return file;
}

function freeName(folder: string, { created }: Manifest): string {
  for (let count = 1; ; count += 1) {
    const path = join(folder, backupName(created, count));
    if (!existsSync(path)) return path;
  }
}

/** Reads the whole archive, and opens the database that is in it. */
async function readBack(
  { databaseUrl: url, path }: Config,
  { partial, work, manifest }: { partial: string; work: string; manifest: Manifest },
): Promise<void> {
  const copy = join(work, 'read-back');
  await readArchive(
    createReadStream(partial),
    async () => undefined,
    async (member) => {
      if (member.path !== members[manifest.engine]) return;
      await pipeline(member.content, createWriteStream(copy, { flags: 'wx', mode: 0o600 }));
    },
  );
  if (url !== null) await checkDump({ url, path, folder: work }, copy, Object.keys(manifest.rows));
  else {
    const { rows } = await openCopy(copy, true);
    if (JSON.stringify(rows) !== JSON.stringify(manifest.rows)) {
      throw new DamagedBackup('its database has other rows than the one that was copied');
    }
  }
  await rm(copy);
}

const fullDiskOf = (folder: string): ConfigError =>
  new ConfigError(
    `The disk of ${folder} has no room for the backup, and nothing was left there. A backup needs about twice the space of the database while it is made. Make room, or name another folder.`,
  );

function explained(error: unknown, folder: string): unknown {
  const isNoSpace = fullDisk(error) !== null || /No space left on device/.test(String(error));
  return isNoSpace ? fullDiskOf(folder) : error;
}
