// Finds the control group of this process, and the parent of those of programs.

import { accessSync, constants, existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readSmallFile } from '../fs/small-file.ts';

// The mount points of version 2: alone, or beside version 1.
const mounts = ['/sys/fs/cgroup', '/sys/fs/cgroup/unified'];

/** The group of the runner; null: the system has no control groups; undefined: not known yet. */
let ours: string | null | undefined;

export function ownGroup(): string | null {
  if (ours === undefined) ours = findOwnGroup();
  return ours;
}

function findOwnGroup(): string | null {
  const path = /^0::(\/.*)$/m.exec(readSmallFile('/proc/self/cgroup') ?? '')?.[1];
  if (path === undefined) return null;
  const groups = mounts.map((mount) => join(mount, path));
  // Only version 2 lists its controllers in every group.
  return groups.find((group) => existsSync(join(group, 'cgroup.controllers'))) ?? null;
}

/**
 * The group below which systemd starts the server (`DelegateSubgroup` of the unit). Groups of programs are its
 * siblings: a group with processes cannot limit groups below it.
 */
const serverGroup = 'signalbox-server';

/** The parent of the groups of programs; null: the system has no control groups. */
export function parentGroup(): string | null {
  const own = ownGroup();
  return own !== null && basename(own) === serverGroup ? dirname(own) : own;
}

/** Whether programs of tasks can have control groups. */
export function hasControlGroups(): boolean {
  const parent = parentGroup();
  if (parent === null) return false;
  try {
    accessSync(parent, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
