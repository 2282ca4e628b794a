// A control group of the kernel for each program of a run, where the system lets us make one:
// whatever a process does to its session and environment, it stays in its group.

import { mkdir, readFile, rmdir, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

// Where version 2 is mounted: alone, or beside version 1.
const mounts = ['/sys/fs/cgroup', '/sys/fs/cgroup/unified'];

/** File of a step's folder that names its group. */
const entry = 'control-group';

let ours: Promise<string | null> | null = null;

/** The group that we are in ourselves; null: the system has none. */
function ownGroup(): Promise<string | null> {
  ours ??= findOwnGroup();
  return ours;
}

async function findOwnGroup(): Promise<string | null> {
  const text = await readFile('/proc/self/cgroup', 'utf8').catch(() => '');
  const path = /^0::(\/.*)$/m.exec(text)?.[1];
  if (path === undefined) return null;
  for (const mount of mounts) {
    const group = join(mount, path);
    // Only version 2 lists its controllers in every group.
    if (await stat(join(group, 'cgroup.controllers')).catch(() => null)) return group;
  }
  return null;
}

/** Makes a group for the program that is started in this folder, if we may. */
export async function makeControlGroup(folder: string, mark: string): Promise<void> {
  const parent = await ownGroup();
  if (parent === null) return;
  const group = join(parent, `signalbox-${mark}-${basename(folder)}`);
  const isMade = await mkdir(group).then(
    () => true,
    () => false,
  );
  if (isMade) await writeFile(join(folder, entry), `${group}\n`);
}

/** The group of the program of this folder; null: it has none. */
export async function controlGroupOf(folder: string): Promise<string | null> {
  const text = await readFile(join(folder, entry), 'utf8').catch(() => '');
  return text.trim() || null;
}

export async function groupMembers(group: string): Promise<number[]> {
  const text = await readFile(join(group, 'cgroup.procs'), 'utf8').catch(() => '');
  return text.split('\n').filter(Boolean).map(Number);
}

/** Ends all of it at one stroke, where the kernel can; the rest is for signals. */
export async function killGroup(group: string): Promise<void> {
  await writeFile(join(group, 'cgroup.kill'), '1').catch(() => undefined);
}

/** An empty group goes; one that is not empty stays for the next try. */
export async function removeGroup(group: string): Promise<void> {
  await rmdir(group).catch(() => undefined);
}
