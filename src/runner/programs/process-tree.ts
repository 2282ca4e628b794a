// All processes of a run: the group of its program, and whatever carries its mark in the
// environment, so that children which left the group with a session of their own are found too.
// Where the system lets us, a control group holds them all.

import { setTimeout as delay } from 'node:timers/promises';
import { groupMembers, killGroup, removeGroup } from './control-group.ts';
import { listProcesses, readEntry, type SeenProcess } from './processes.ts';

export interface Tree {
  mark: string;
  /** The group that the program leads, when it has been started. */
  group: number | null;
  controlGroup: string | null;
  /** The supervisor, which carries the mark but must write the exit code. */
  except: number | null;
  /** A user that runs nothing else; null: there is none. */
  uid: number | null;
}

async function members(tree: Tree): Promise<number[]> {
  const { group, controlGroup, except } = tree;
  const seen = await listProcesses();
  // Without /proc there is only the group, which a negative pid names.
  if (!seen) return group === null ? [] : [-group];
  const held = new Set(controlGroup === null ? [] : await groupMembers(controlGroup));
  return seen
    .filter((one) => one.pid !== except && one.pid !== process.pid && isMember(one, tree, held))
    .map(({ pid }) => pid);
}

function isMember(seen: SeenProcess, { mark, group, uid }: Tree, held: Set<number>): boolean {
  if (seen.state === 'Z') return false;
  if (held.has(seen.pid) || (group !== null && seen.group === group)) return true;
  if (uid !== null && userOf(seen.pid) === uid) return true;
  return seen.marks.includes(mark) || isConnection(seen.title, mark);
}

/** Of a process that hides its memory not even the owner of its folder in /proc tells it. */
function userOf(pid: number): number | null {
  const uid = /^Uid:\s+(\d+)/m.exec(readEntry(pid, 'status')?.toString('latin1') ?? '')?.[1];
  return uid === undefined ? null : Number(uid);
}

/**
 * ssh keeps a connection for later commands in a process of its own, whose title, the path of its
 * socket in the run's folder, takes the place of its environment.
 */
const isConnection = (title: string, mark: string): boolean =>
  title.startsWith('ssh: ') && title.includes(`/${mark}/`);

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It has ended meanwhile, or belongs to another user and is not ours to end.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

export async function signalTree(tree: Tree, signal: NodeJS.Signals): Promise<void> {
  for (const pid of await members(tree)) send(pid, signal);
}

// A process that forks while we look is found in the next round.
const rounds = 50;

/** Kills until nothing is left. False: something could not be killed. */
export async function killTree(tree: Tree): Promise<boolean> {
  const { controlGroup } = tree;
  if (controlGroup !== null) await killGroup(controlGroup);
  for (let round = 0; round < rounds; round += 1) {
    const pids = await members(tree);
    if (pids.length === 0) {
      if (controlGroup !== null) await removeGroup(controlGroup);
      return true;
    }
    for (const pid of pids) send(pid, 'SIGKILL');
    await delay(round < 10 ? 5 : 50);
  }
  return false;
}
