// Finds and ends all processes of a run: those of the process group of its program, and those with
// the mark of the run in their environment, which have left the group for a session of their own.
// Where the system allows control groups, one holds all of them.

import { setTimeout as delay } from 'node:timers/promises';
import { groupMembers, killGroup, removeGroup } from './control-group.ts';
import { isConnection, listProcesses, readEntry, type SeenProcess } from './processes.ts';

export interface Tree {
  mark: string;
  /** The process groups that its programs lead. */
  groups: number[];
  controlGroups: string[];
  /** The pid of the supervisor, which has the mark too but has to write the exit code. */
  except: number | null;
  /** The id of a user that runs only this task; null: there is none. */
  uid: number | null;
}

async function members(tree: Tree): Promise<number[]> {
  const { groups, controlGroups, except } = tree;
  const seen = await listProcesses();
  // Without /proc only the process groups are known; a negative pid means a group.
  if (!seen) return groups.map((group) => -group);
  const held = new Set(controlGroups.flatMap(groupMembers));
  return seen
    .filter((one) => one.pid !== except && one.pid !== process.pid && isMember(one, tree, held))
    .map(({ pid }) => pid);
}

function isMember(seen: SeenProcess, { mark, groups, uid }: Tree, held: Set<number>): boolean {
  if (seen.state === 'Z') return false;
  if (held.has(seen.pid) || groups.includes(seen.group)) return true;
  if (uid !== null && userOf(seen.pid) === uid) return true;
  return seen.marks.includes(mark) || (isConnection(seen.title) && names(seen.title, mark));
}

/** The user of a process. The owner of /proc/PID is root for a process that hides its memory. */
function userOf(pid: number): number | null {
  const uid = /^Uid:\s+(\d+)/m.exec(readEntry(pid, 'status')?.toString('latin1') ?? '')?.[1];
  return uid === undefined ? null : Number(uid);
}

const names = (title: string, mark: string): boolean => title.includes(`/${mark}/`);

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // The process has ended meanwhile, or belongs to another user and cannot be ended from here.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

export async function signalTree(tree: Tree, signal: NodeJS.Signals): Promise<void> {
  for (const pid of await members(tree)) send(pid, signal);
}

// A process that was forked while the others were listed is found in the next round.
const mostRounds = 50;

/** Kills all processes of the tree; false: one of them could not be killed. */
export async function killTree(tree: Tree): Promise<boolean> {
  const { controlGroups } = tree;
  for (const group of controlGroups) killGroup(group);
  for (let round = 0; round < mostRounds; round += 1) {
    const pids = await members(tree);
    if (pids.length === 0) {
      for (const group of controlGroups) await removeGroup(group);
      return true;
    }
    for (const pid of pids) send(pid, 'SIGKILL');
    await delay(round < 10 ? 5 : 50);
  }
  return false;
}
