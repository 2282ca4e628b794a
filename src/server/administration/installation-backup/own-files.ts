// Files that a backup makes: private, complete on the disk, and of the user of the data folder.

import { existsSync } from 'node:fs';
import { chown, mkdir, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { ConfigError } from '../../../node/config-error.ts';

/** As root, changes the owner to the user of the data folder. */
export async function giveToOwner(path: string, dataDir: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(dataDir);
  await chown(path, uid, gid);
}

/** Flushes a file or a folder to the disk. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const workPrefix = '.signalbox-backup-';
// Work folders of other machines are removed after this time.
const MAX_WORK_MS = 24 * 60 * 60 * 1000;

/** Creates an empty folder for the files of a backup under way; removes those of killed backups. */
export async function makeWorkFolder(parent: string, dataDir: string): Promise<string> {
  const ours = createHash('sha256').update(`${hostname()} ${dataDir}`).digest('hex').slice(0, 12);
  for (const name of await readdir(parent)) {
    if (!name.startsWith(workPrefix)) continue;
    const found = await stat(join(parent, name)).catch(() => null);
    const isOld = found !== null && Date.now() - found.mtimeMs > MAX_WORK_MS;
    // The backup of this folder has ended, because a data folder has only one at a time.
    const isOurs = name === workPrefix + ours;
    if (isOurs || isOld) await rm(join(parent, name), { recursive: true, force: true });
  }
  const folder = join(parent, workPrefix + ours);
  await mkdir(folder, { mode: 0o700 });
  return folder;
}

/** Writes the master key into a file of its own, which must not lie beside the backups. */
export async function writeKey(
  file: string,
  lines: string,
  { dataDir, backups }: { dataDir: string; backups: string | null },
): Promise<void> {
  const path = resolve(file);
  if (backups !== null && `${dirname(path)}/`.startsWith(`${resolve(backups)}/`)) {
    throw new ConfigError(
      `The key must not lie with the backups: whoever finds both can open all secrets. Name another place than ${file}.`,
    );
  }
  if (existsSync(path)) {
    if ((await readFile(path, 'utf8')) === lines) return;
    throw new ConfigError(`There is a file ${file} already, with something else. Name another.`);
  }
  await writeFile(path, lines, { flag: 'wx', mode: 0o600 });
  await giveToOwner(path, dataDir);
  await sync(path);
}
