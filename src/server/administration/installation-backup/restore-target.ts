// The data folder into which a backup is restored, and the mark of an unfinished restore.

import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '../../../node/config-error.ts';
import { giveToOwner, sync } from './own-files.ts';
import { unfinishedMark } from './unfinished-restore.ts';

/** The folder in which a restore prepares everything. */
export const workName = '.restore';
/** The folder for the settings of the backup, which are never applied automatically. */
export const settingsName = 'restored';
const asidePrefix = 'replaced-';

/** Files that every data folder may have, and those of earlier restores. */
const isNoContent = (name: string): boolean =>
  ['lost+found', workName, unfinishedMark].includes(name) ||
  // The locks, and the files that SQLite keeps beside them.
  /^(?:server|backup)\.lock/.test(name) ||
  name.startsWith(asidePrefix);

/** The names in the data folder that would be replaced, without the right master key. */
export async function contentOf(dataDir: string, isRightKey: boolean): Promise<string[]> {
  const names = await readdir(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const content: string[] = [];
  for (const name of names) {
    if (isNoContent(name) || (name === 'master.key' && isRightKey)) continue;
    if (name === 'repositories' && (await readdir(join(dataDir, name))).length === 0) continue;
    content.push(name);
  }
  return content;
}

export const hasMark = (dataDir: string): boolean => existsSync(join(dataDir, unfinishedMark));

/** From now on no server starts on the data folder. */
export async function setMark(dataDir: string): Promise<void> {
  const path = join(dataDir, unfinishedMark);
  await writeFile(path, 'A restore writes into this folder.\n', { mode: 0o600 });
  await giveToOwner(path, dataDir);
  await sync(path);
  await sync(dataDir);
}

export async function removeMark(dataDir: string): Promise<void> {
  await sync(dataDir);
  await rm(join(dataDir, unfinishedMark), { force: true });
  await sync(dataDir);
}

/** Creates the empty work folder, and removes that of a killed restore. */
export async function makeWork(dataDir: string): Promise<string> {
  const work = join(dataDir, workName);
  await rm(work, { recursive: true, force: true });
  await mkdir(work, { mode: 0o700 });
  await giveToOwner(work, dataDir);
  return work;
}

/** Moves the content of the data folder aside; returns the new folder, null if there was no content. */
export async function setAside(dataDir: string, time: string): Promise<string | null> {
  // Every data folder has this one; an empty one is not kept.
  await rmdir(join(dataDir, 'repositories')).catch(() => undefined);
  const names = (await readdir(dataDir)).filter((name) => !isNoContent(name));
  if (names.length === 0) return null;
  const aside = await newFolder(join(dataDir, asidePrefix + time));
  await giveToOwner(aside, dataDir);
  for (const name of names) await rename(join(dataDir, name), join(aside, name));
  await sync(aside);
  return aside;
}

async function newFolder(path: string): Promise<string> {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? path : `${path}-${count}`;
    if (existsSync(name)) continue;
    await mkdir(name, { mode: 0o700 });
    return name;
  }
}

/** Moves the prepared files into the data folder. */
export async function putInPlace(dataDir: string, work: string): Promise<void> {
  for (const name of await readdir(work)) await rename(join(work, name), join(dataDir, name));
  await rm(work, { recursive: true });
  await sync(dataDir);
}

export const notEmpty = (dataDir: string, content: string[]): ConfigError =>
  new ConfigError(
    `The data folder ${dataDir} is not empty: ${shortList(content)}. Name an empty folder with SIGNALBOX_DATA_DIR, or give --replace, which moves all of it into a folder ${asidePrefix}… there.`,
  );

const shown = 5;

const shortList = (names: string[]): string =>
  names.length <= shown
    ? names.join(', ')
    : `${names.slice(0, shown).join(', ')} and ${names.length - shown} more`;
