// Finds the control group of this process and where those of programs are made.

import { accessSync, constants, existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { lazy } from '../async/state-of.ts';
import { readSmallFile } from '../fs/small-file.ts';

// Where version 2 of control groups is mounted: alone, or beside version 1.
const mounts = ['/sys/fs/cgroup', '/sys/fs/cgroup/unified'];

/** The group of the runner itself; null: the system has no control groups. */
export const ownGroup = lazy((): string | null => {
  const path = /^0::(\/.*)$/m.exec(readSmallFile('/proc/self/cgroup') ?? '')?.[1];
  if (path === undefined) return null;
  const groups = mounts.map((mount) => join(mount, path));
  // Only version 2 lists its controllers in every group.
  return groups.find((group) => existsSync(join(group, 'cgroup.controllers'))) ?? null;
});

/**
 * The group below which systemd starts the server (`DelegateSubgroup` of the unit). The kernel limits
 * groups only beside it: a group with processes of its own cannot limit groups below it.
 */
const serverGroup = 'signalbox-server';

/** The group in which those of programs are made; null: the system has no control groups. */
export function parentGroup(): string | null {
  const own = ownGroup();
  return own !== null && basename(own) === serverGroup ? dirname(own) : own;
}

/** Whether the programs of tasks can have groups here. */
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
