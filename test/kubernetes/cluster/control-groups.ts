// Each part of a cluster runs in a control group of its own, below one of the cluster, and so do all containers. So
// the processes of a part are known without files of their ids, and nothing outlives the cluster.

import { globSync, mkdirSync, readFileSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { until } from '../../helpers/until.ts';

const root = '/sys/fs/cgroup';

/** The roots of all hierarchies: several with version 1 of control groups, where the kubelet looks for its group in each. */
const hierarchies = (): string[] => {
  const several = globSync(`${root}/*/cgroup.procs`).filter((path) => !isOfVersion2(path));
  return several.length > 0 ? several.map((path) => dirname(path)) : [root];
};

/** With version 2, the folders below the root are groups and no hierarchies. */
const isOfVersion2 = (path: string): boolean =>
  globSync(join(dirname(path), 'cgroup.type')).length > 0;

/** The hierarchy in which the parts are, which has no controllers if there are several. */
const ofParts = (): string => globSync(`${root}/unified`)[0] ?? root;

export function makeGroups(name: string): void {
  for (const hierarchy of hierarchies()) mkdirSync(join(hierarchy, name), { recursive: true });
}

/** The folder of the group of one part, which exists afterwards. */
export function groupOf(name: string, part: string): string {
  const group = join(ofParts(), name, part);
  mkdirSync(group, { recursive: true });
  return group;
}

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

/** The processes of a group and of the groups below it. */
export const processesIn = (group: string): number[] =>
  globSync(`${group}/{,**/}cgroup.procs`)
    .flatMap((path) => read(path).split('\n'))
    .filter(Boolean)
    .map(Number);

/** Kills all processes of the groups, and those that they start meanwhile, and returns when there are none. */
async function killAll(groups: string[]): Promise<void> {
  await until(() => {
    const left = groups.flatMap(processesIn);
    for (const pid of left) kill(pid);
    return left.length === 0;
  });
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has ended.
  }
}

export const killPart = (name: string, part: string): Promise<void> =>
  killAll([groupOf(name, part)]);

/** Kills everything that runs in the groups of a cluster, and removes them. */
export async function removeGroups(name: string): Promise<void> {
  const groups = hierarchies().map((hierarchy) => join(hierarchy, name));
  await killAll(groups);
  for (const group of groups) {
    const folders = globSync(`${group}{,/**/}`).map((path) => path.replace(/\/$/, ''));
    for (const folder of folders.toSorted((a, b) => b.length - a.length)) {
      await until(() => isRemoved(folder));
    }
  }
}

/** Removes a group; false: the kernel has not yet cleaned up after its last process. */
function isRemoved(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EBUSY') return false;
    throw error;
  }
}
