// Removes the oldest scheduled backups: only files that the schedule of this installation has made, with a
// name of a backup, in the folder of the settings. Other files are never removed.

import { lstat, rm } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import type { Context } from '../../context/context.ts';
import { isBackupName } from './backup-name.ts';
import { forgetFile, listFiles } from './scheduled-backups.store.ts';

/** Called when the newest backup was read back successfully. */
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
    // A missing file may be on the disk of another server.
    else if (found !== null || maker !== server) continue;
    await forgetFile(ctx.db, id);
  }
}
