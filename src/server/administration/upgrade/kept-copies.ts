// The copies of the database from before upgrades, in a folder of the data folder. The name of a copy
// contains its newest migration (`form`) and its time.

import { chmod, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileTime } from '../installation-backup/backup-name.ts';
import { giveToOwner } from '../installation-backup/own-files.ts';

/** The number of forms of which the newest copy is kept. */
const MAX_FORMS = 2;

const namePattern = /^(?<form>[\w-]+?)-(?<time>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ)\.(?:db|pgdump)$/;
const workName = '.work';

export const copiesFolder = (dataDir: string): string => join(dataDir, 'upgrades');

export async function makeFolder(dataDir: string): Promise<string> {
  const folder = copiesFolder(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  await giveToOwner(folder, dataDir);
  return folder;
}

/** Creates an empty folder for a copy under way. Only one server migrates, so leftovers can be removed. */
export async function makeWorkFolder(folder: string): Promise<string> {
  const work = join(folder, workName);
  await rm(work, { recursive: true, force: true });
  await mkdir(work, { mode: 0o700 });
  return work;
}

/** The name of a copy of a database whose newest migration is `form`. */
export const nameOf = (form: string, engine: 'sqlite' | 'postgres', now: Date): string =>
  `${form}-${fileTime(now.toISOString())}.${engine === 'sqlite' ? 'db' : 'pgdump'}`;

/**
 * Removes older copies. The newest one of each form stays, so that an upgrade that fails repeatedly does
 * not displace the copy from the upgrade before.
 */
export async function removeOlder(folder: string): Promise<void> {
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
