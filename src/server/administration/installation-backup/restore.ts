// Restores an installation from a backup:
//   read and check the manifest → unpack into a work folder, and verify → migrate and settle the database
//   → move everything in place. Until the last step, the data folder is unchanged.

import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ConfigError } from '../../../node/config-error.ts';
import { holdFolder } from '../../../node/fs/folder-lock.ts';
import { fullDisk, isDiskFull } from '../../../node/fs/disk-full.ts';
import type { Log } from '../../../node/log/log.ts';
import { prepareDataDir } from '../../../runner/workspace/data-dir.ts';
import type { Config } from '../../config/config.ts';
import { byServer } from '../../context/context.ts';
import { migrations } from '../../db/migrations/index.ts';
import { migrate } from '../../db/migrations/migrate.ts';
import { openDatabase } from '../../db/open.ts';
import { PostgresTarget } from '../../db/snapshot/postgres-restore.ts';
import { openCopy } from '../../db/snapshot/sqlite-snapshot.ts';
import { silentTelemetry } from '../../lib/telemetry/telemetry.ts';
import { createHub } from '../../live/hub.ts';
import { createVault } from '../../vault/vault.ts';
import { requireMasterKey } from '../installation/check-master-key.ts';
import { keepAddressesRelative } from '../installation/relative-addresses.ts';
import { installationId } from '../installation/installation-id.ts';
import { settleRestored } from './after-restore.ts';
import { DamagedBackup, readArchive } from './archive-reader.ts';
import { fileTime } from './backup-name.ts';
import type { Manifest } from './manifest.ts';
import { giveToOwner } from './own-files.ts';
import { isSameFile, keysFor, type RightKeys } from './restore-key.ts';
import {
  contentOf,
  hasMark,
  makeWork,
  notEmpty,
  putInPlace,
  removeMark,
  setAside,
  setMark,
  settingsName,
  workName,
} from './restore-target.ts';
import { dumpName, NoRoom, postgresFolder, sqliteName, Unpacking } from './unpack.ts';

export interface RestoreOrder {
  config: Config;
  log: Log;
  source: Readable;
  /** The file with the master key; null: the settings or the data folder have it. */
  keyFile: string | null;
  /** Whether the content of data folder and database may be set aside. */
  isReplacing: boolean;
  /** Whether the restored installation must start nothing automatically. */
  isDrill: boolean;
}

export interface Restored {
  manifest: Manifest;
  files: number;
  /** The folder and the schema with the previous content; null: there was none. */
  aside: { folder: string | null; schema: string | null };
  /** The folder with the settings of the backup. */
  settings: string;
  /** Whether the master key was written into the data folder. */
  hasWrittenKey: boolean;
  /** The number of begun tasks that were ended. */
  endedTasks: number;
}

interface Decided {
  manifest: Manifest;
  right: RightKeys;
  work: string;
  unpacking: Unpacking;
  postgres: PostgresTarget | null;
  /** Undone in the reverse order, whether the restore succeeds or fails. */
  release: (() => unknown)[];
  /** Whether the data folder is being replaced; if interrupted, only another restore completes it. */
  state: { isSwapping: boolean };
}

export async function restoreBackup(order: RestoreOrder): Promise<Restored> {
  const { dataDir } = order.config;
  const isNew = !existsSync(dataDir);
  const release: Decided['release'] = [];
  let decided: Decided | null = null;
  let isFine = false;
  try {
    await readArchive(
      order.source,
      async (manifest) => void (decided = await decide(order, manifest, release)),
      (member) => taken(decided).unpacking.take(member, taken(decided).manifest.engine),
    );
    const restored = await finish(order, taken(decided));
    isFine = true;
    return restored;
  } catch (error) {
    throw explained(error, dataDir);
  } finally {
    for (const undo of release.toReversed()) await undo();
    if (isNew && !isFine && !hasMark(dataDir)) await rm(dataDir, { recursive: true, force: true });
  }
}

function taken(decided: Decided | null): Decided {
  if (!decided) throw new Error('The manifest was not read.');
  return decided;
}

/** Refuses a backup that cannot be restored here, before anything is written. */
async function decide(
  order: RestoreOrder,
  manifest: Manifest,
  release: Decided['release'],
): Promise<Decided> {
  const { config, isReplacing } = order;
  const { dataDir, databaseUrl } = config;
  requireKnown(manifest);
  requireEngine(manifest, databaseUrl);
  const right = keysFor(manifest, config, order.keyFile);
  const content = await contentOf(dataDir, isSameFile(dataDir, right.lines));
  const isUnfinished = hasMark(dataDir);
  if (content.length > 0 && !isReplacing && !isUnfinished) throw notEmpty(dataDir, content);
  const postgres = databaseUrl === null ? null : await openTarget(config, databaseUrl, release);
  if (postgres && !isReplacing && !(await postgres.isEmpty())) throw notEmptyDatabase();
  await prepareDataDir(config);
  release.push(await holdFolder(config));
  await postgres?.requireAlone();
  // A used folder stays complete, without a mark, until everything is moved in place.
  if (content.length === 0) await setMark(dataDir);
  const work = await makeWork(dataDir);
  release.push(() => rm(work, { recursive: true, force: true }));
  const state = { isSwapping: false };
  if (content.length === 0 && !isUnfinished) {
    release.push(() => (state.isSwapping ? undefined : removeMark(dataDir)));
  }
  await mkdir(join(work, postgresFolder), { mode: 0o700 });
  await postgres?.requireProgram();
  const unpacking = await Unpacking.into(work);
  return { manifest, right, work, postgres, release, state, unpacking };
}

function requireKnown({ migrations: run, version }: Manifest): void {
  const unknown = run.find((name) => !Object.hasOwn(migrations, name));
  if (unknown === undefined) return;
  throw new ConfigError(
    `The backup was made by a newer version of Signalbox (${version}, ${unknown}). Use that version or a later one.`,
  );
}

function requireEngine({ engine }: Manifest, databaseUrl: string | null): void {
  if (engine === 'sqlite' && databaseUrl !== null) {
    throw new ConfigError(
      'The backup is of an installation on SQLite, and SIGNALBOX_DATABASE_URL names a PostgreSQL database. Restore it without this setting first; then set it, and run "signalbox migrate --from sqlite".',
    );
  }
  if (engine === 'postgres' && databaseUrl === null) {
    throw new ConfigError(
      'The backup is of an installation on PostgreSQL. Set SIGNALBOX_DATABASE_URL to an empty PostgreSQL database.',
    );
  }
}

async function openTarget(
  { path, dataDir }: Config,
  url: string,
  release: Decided['release'],
): Promise<PostgresTarget> {
  const postgres = new PostgresTarget({
    url,
    path,
    folder: join(dataDir, workName, postgresFolder),
  });
  await postgres.connect();
  release.push(() => postgres.close());
  return postgres;
}

const notEmptyDatabase = (): ConfigError =>
  new ConfigError(
    'The database that SIGNALBOX_DATABASE_URL names is not empty. Name an empty one, or give --replace, which moves its tables into a schema of their own.',
  );

/** Called when everything has been read and verified. */
async function finish(order: RestoreOrder, decided: Decided): Promise<Restored> {
  const { config, isDrill } = order;
  const { manifest, right, work, unpacking, postgres, release, state } = decided;
  const { dataDir } = config;
  const time = fileTime(new Date().toISOString());
  await unpacking.finish();
  if (right.lines !== null) {
    const path = join(work, 'master.key');
    await writeFile(path, right.lines, { mode: 0o600, flush: true });
    await giveToOwner(path, dataDir);
  }
  const url = postgres === null ? `sqlite:${join(work, sqliteName)}` : (config.databaseUrl ?? '');
  if (postgres === null) await checkCopy(join(work, sqliteName), manifest);
  else {
    await postgres.begin(time);
    release.push(() => postgres.undo());
    await postgres.fill(join(work, dumpName), manifest.rows);
  }
  const endedTasks = await settle(order, decided, url, isDrill);
  await rm(join(work, postgresFolder), { recursive: true });
  await setMark(dataDir);
  state.isSwapping = true;
  // The same key is in the work folder.
  if (isSameFile(dataDir, right.lines)) await rm(join(dataDir, 'master.key'));
  const folder = await setAside(dataDir, time);
  await putInPlace(dataDir, work);
  const schema = (await postgres?.finish()) ?? null;
  await removeMark(dataDir);
  return {
    manifest,
    files: unpacking.files,
    aside: { folder, schema },
    settings: join(dataDir, settingsName),
    hasWrittenKey: right.lines !== null,
    endedTasks,
  };
}

async function checkCopy(file: string, manifest: Manifest): Promise<void> {
  const { rows, migrations: run } = await openCopy(file, true).catch((cause: unknown) => {
    if (isDiskFull(cause)) throw cause;
    // The error names a file that is gone when people read it.
    throw new DamagedBackup('its database cannot be read', { cause });
  });
  const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
  if (isSame(rows, manifest.rows) && isSame(run, manifest.migrations)) return;
  throw new DamagedBackup('its database has other rows than its manifest says');
}

/** Migrates the restored database; returns the number of ended tasks. */
async function settle(
  { config, log }: RestoreOrder,
  { manifest, right }: Decided,
  url: string,
  isDrill: boolean,
): Promise<number> {
  const db = openDatabase(url);
  try {
    await migrate(db);
    const vault = createVault(right.keys);
    await requireMasterKey(db, vault);
    await keepAddressesRelative(db, manifest.data_dir);
    const clock = { now: () => new Date(), close: () => undefined };
    const by = { ...byServer, via: 'cli' as const };
    const installation = await installationId(db);
    const telemetry = silentTelemetry;
    const ctx = { config, db, hub: createHub(), vault, clock, log, telemetry, by, installation };
    return await settleRestored(ctx, manifest, isDrill);
  } finally {
    await db.destroy();
  }
}

function explained(error: unknown, dataDir: string): unknown {
  const place = fullDisk(error);
  if (place === 'database') {
    return new ConfigError(
      'The disk of the PostgreSQL server is full. Make room, and restore again.',
    );
  }
  const isFull =
    error instanceof NoRoom || place === 'folder' || /No space left/.test(String(error));
  if (!isFull) return error;
  return new ConfigError(
    `The disk of ${dataDir} has no room for what the backup contains, and nothing was restored. Make room, or name another folder: SIGNALBOX_DATA_DIR.`,
    { cause: error },
  );
}
