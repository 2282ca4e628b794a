// Makes a control group of the kernel for each program of a run, if the system allows it. A process
// stays in its control group, whatever it does to its session and environment.

import { mkdir, readFile, rmdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import {
  controlFiles,
  controllerOf,
  limitNames,
  type LimitName,
  type TaskLimits,
} from './task-limits.ts';

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

/**
 * The group below which systemd starts the server (`DelegateSubgroup` of the unit). The kernel limits
 * groups only beside it: a group with processes of its own cannot limit groups below it.
 */
const serverGroup = 'signalbox-server';

/** The group in which those of programs are made; null: the system has no control groups. */
async function parentGroup(): Promise<string | null> {
  const own = await ownGroup();
  return own !== null && basename(own) === serverGroup ? dirname(own) : own;
}

/** The limits that control groups cannot hold here. */
export async function unheldLimits(limits: TaskLimits): Promise<LimitName[]> {
  const asked = limitNames(limits);
  if (asked.length === 0) return [];
  const [own, parent] = [await ownGroup(), await parentGroup()];
  if (own === null || parent === null || own === parent) return asked;
  return unheldBelow(parent, asked);
}

/** Those for which the controller cannot be switched on for the groups below this one. */
export async function unheldBelow(parent: string, asked: LimitName[]): Promise<LimitName[]> {
  const file = join(parent, 'cgroup.subtree_control');
  for (const name of asked) {
    await writeFile(file, `+${controllerOf[name]}`).catch(() => undefined);
  }
  const on = (await readFile(file, 'utf8').catch(() => '')).trim().split(/\s+/);
  return asked.filter((name) => !on.includes(controllerOf[name]));
}

/**
 * Makes a group for the program of this folder, if the runner may. Throws if a limit cannot be set:
 * the program must not start without it.
 */
export async function makeControlGroup(
  folder: string,
  mark: string,
  limits: TaskLimits,
): Promise<void> {
  const parent = await parentGroup();
  const group = parent && join(parent, `signalbox-${mark}-${basename(folder)}`);
  const isMade =
    group !== null &&
    (await mkdir(group).then(
      () => true,
      () => false,
    ));
  const isLimited = limitNames(limits).length > 0;
  if (!isMade) {
    if (isLimited) throw new Error('The limits of this task cannot be held: no control group.');
    return;
  }
  await setLimits(group, limits);
  await writeFile(join(folder, entry), `${group}\n${isLimited ? 'required\n' : ''}`);
}

export async function setLimits(group: string, limits: TaskLimits): Promise<void> {
  for (const { file, text, isOptional } of controlFiles(limits)) {
    await writeFile(join(group, file), text, { flag: 'r+' }).catch((error: unknown) => {
      if (!isOptional) throw error;
    });
  }
}

export interface LimitsReached {
  /** Whether the kernel has ended the programs because of their memory. */
  memory: boolean;
  /** Whether it has refused them a further process. */
  processes: boolean;
}

/** Which limits the programs of the group have reached so far. */
export async function limitsReached(group: string | null): Promise<LimitsReached> {
  if (group === null) return { memory: false, processes: false };
  return {
    memory: (await eventsOf(join(group, 'memory.events'), 'oom_kill')) > 0,
    processes: (await eventsOf(join(group, 'pids.events'), 'max')) > 0,
  };
}

/** How often something has happened, by a file of lines `name count`. */
async function eventsOf(file: string, name: string): Promise<number> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const found = text.split('\n').find((line) => line.startsWith(`${name} `));
  return Number(found?.slice(name.length + 1) ?? 0);
}

/** The group of the program of this folder; null: it has no group. */
export async function controlGroupOf(folder: string): Promise<string | null> {
  const text = await readFile(join(folder, entry), 'utf8').catch(() => '');
  return text.split('\n', 1)[0] || null;
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
