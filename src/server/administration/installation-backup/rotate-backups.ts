// Removes the oldest scheduled backups. A file is removed only if this installation has made it by its
// schedule, has its own kind of name, and lies in the folder of the settings: those that somebody has
// made by hand or that belong to another installation stay.

import { lstat, rm } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import type { Context } from '../../context/context.ts';
import { isBackupName } from './backup-name.ts';
import { forgetFile, listFiles } from './scheduled-backups.store.ts';

/** Keeps the newest backups; called when the newest was read back and is good. */
export async function rotateBackups(
  ctx: Context,
  server: string,
  { folder, keep }: { folder: string; keep: number },
): Promise<void> {
  const here = (await listFiles(ctx.db)).filter(
    ({ file }) => file !== null && dirname(file) === resolve(folder),
  );
  for (const { id, file, server: maker } of here.slice(Math.max(1, keep))) {
    if (file === null || !isBackupName(basename(file))) continue;
    const found = await lstat(file).catch(() => null);
    if (found?.isFile()) await rm(file);
    // What is not there may lie on the disk of another server.
    else if (found !== null || maker !== server) continue;
    await forgetFile(ctx.db, id);
  }
}
