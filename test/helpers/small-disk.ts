// Makes a real disk in memory that is small and can be full, for the length of a test.

import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { folder } from './seed.ts';
import { asRoot } from './unix-user.ts';

/** A disk of so many megabytes, which belongs to a user of this machine. */
export async function smallDisk(megabytes: number, uid = process.getuid?.() ?? 0): Promise<string> {
  const path = await folder();
  asRoot('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700,uid=${uid}`, 'tmpfs', path]);
  onTestFinished(() => asRoot('umount', ['--lazy', path]));
  return path;
}

/** Fills the disk; returns a function that frees the space. */
export async function fill(disk: string): Promise<() => Promise<void>> {
  const { bavail, bsize } = await statfs(disk);
  const ballast = join(disk, 'ballast');
  // This write fails when the disk is full.
  await writeFile(ballast, Buffer.alloc(bavail * bsize + 1)).catch(() => undefined);
  return () => rm(ballast);
}
