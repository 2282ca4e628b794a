// Makes a control group of the kernel for each program of a run, if the system allows it. A process
// stays in its control group, whatever it does to its session and environment.

import { mkdir, readFile, rmdir, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

// Where version 2 of control groups is mounted: alone, or beside version 1.
const mounts = ['/sys/fs/cgroup', '/sys/fs/cgroup/unified'];

/** The file in the folder of a step that holds the path of its group. */
const entry = 'control-group';

let ours: Promise<string | null> | null = null;

/** The group of the runner itself; null: the system has no control groups. */
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

/** Makes a group for the program of this folder, if the runner may. */
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

/** The group of the program of this folder; null: it has no group. */
export async function controlGroupOf(folder: string): Promise<string | null> {
  const text = await readFile(join(folder, entry), 'utf8').catch(() => '');
  return text.trim() || null;
}

export async function groupMembers(group: string): Promise<number[]> {
  const text = await readFile(join(group, 'cgroup.procs'), 'utf8').catch(() => '');
  return text.split('\n').filter(Boolean).map(Number);
}

/** Kills all processes of the group at once. Older kernels cannot, so the caller also sends signals. */
export async function killGroup(group: string): Promise<void> {
  await writeFile(join(group, 'cgroup.kill'), '1').catch(() => undefined);
}

/** Removes the group if it is empty. */
export async function removeGroup(group: string): Promise<void> {
  await rmdir(group).catch(() => undefined);
}
