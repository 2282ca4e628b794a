// Creates a control group for each program of a run, if the system allows it. A process cannot leave it, whatever it
// does to its session and environment. Files of groups are in memory, so they are accessed synchronously; making
// and removing a group takes longer.

import { writeFileSync } from 'node:fs';
import { mkdir, readdir, rmdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import {
  controlFiles,
  controllerOf,
  limitNames,
  type LimitName,
  type TaskLimits,
} from './task-limits.ts';
import { ownGroup, parentGroup } from '../../node/process/own-control-group.ts';
import { readSmallFile } from '../../node/fs/small-file.ts';

/** The file in the folder of a step with the path of its group. */
const entry = 'control-group';

/** The limits that control groups cannot enforce here. */
export function unheldLimits(limits: TaskLimits): LimitName[] {
  const asked = limitNames(limits);
  if (asked.length === 0) return [];
  const [own, parent] = [ownGroup(), parentGroup()];
  if (own === null || parent === null || own === parent) return asked;
  return unheldBelow(parent, asked);
}

/** Those whose controllers cannot be enabled for the groups below this one. */
export function unheldBelow(parent: string, asked: LimitName[]): LimitName[] {
  const file = join(parent, 'cgroup.subtree_control');
  for (const name of asked) write(file, `+${controllerOf[name]}`);
  const on = (readSmallFile(file) ?? '').trim().split(/\s+/);
  return asked.filter((name) => !on.includes(controllerOf[name]));
}

/** Creates a group for the program of this folder, if the runner may. Throws if a limit cannot be set. */
export async function makeControlGroup(
  folder: string,
  mark: string,
  limits: TaskLimits,
): Promise<void> {
  const parent = parentGroup();
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
  setLimits(group, limits);
  await writeFile(join(folder, entry), `${group}\n${isLimited ? 'required\n' : ''}`);
}

export function setLimits(group: string, limits: TaskLimits): void {
  for (const { file, text, isOptional } of controlFiles(limits)) {
    if (isOptional) write(join(group, file), text);
    else writeFileSync(join(group, file), text, { flag: 'r+' });
  }
}

export interface LimitsReached {
  /** Whether the OOM killer has ended programs. */
  memory: boolean;
  /** Whether the limit of processes was reached. */
  processes: boolean;
}

export function limitsReached(group: string | null): LimitsReached {
  if (group === null) return { memory: false, processes: false };
  return {
    memory: eventsOf(join(group, 'memory.events'), 'oom_kill') > 0,
    processes: eventsOf(join(group, 'pids.events'), 'max') > 0,
  };
}

/** The count of an event in a file with lines `name count`. */
export function eventsOf(file: string, name: string): number {
  const found = (readSmallFile(file) ?? '').split('\n').find((line) => line.startsWith(`${name} `));
  return Number(found?.slice(name.length + 1) ?? 0);
}

/** The group of the program of this folder; null: none. */
export const controlGroupOf = (folder: string): string | null =>
  readSmallFile(join(folder, entry))?.split('\n', 1)[0] || null;

/** The processes of the group and of all groups below it. */
export async function groupMembers(group: string): Promise<number[]> {
  const texts = (await groupsFrom(group)).map((one) => readSmallFile(join(one, 'cgroup.procs')));
  return texts.flatMap((text) => (text ?? '').split('\n').filter(Boolean).map(Number));
}

/** The group and all groups below it, children first. */
async function groupsFrom(group: string): Promise<string[]> {
  const entries = await readdir(group, { withFileTypes: true }).catch(() => []);
  const below: string[] = [];
  for (const one of entries) {
    if (one.isDirectory()) below.push(...(await groupsFrom(join(group, one.name))));
  }
  return [...below, group];
}

/** Kills all processes of the group. Older kernels do not support this, so the caller also sends signals. */
export function killGroup(group: string): void {
  write(join(group, 'cgroup.kill'), '1');
}

/** Removes the group and those below it, as far as they are empty. */
export async function removeGroup(group: string): Promise<void> {
  for (const one of await groupsFrom(group)) await rmdir(one).catch(() => undefined);
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'r+' });
  } catch {
    // Older kernels lack the file, which the caller tolerates.
  }
}
