// Finds and kills all processes of a run: the process group of its program, processes with the mark of the run in their
// environment, processes in their sessions, and all descendants. Where the system allows control groups, one
// contains all of them.

import { setTimeout as delay } from 'node:timers/promises';
import { groupMembers, killGroup, removeGroup } from './control-group.ts';
import { isConnection, listProcesses, readEntry, type SeenProcess } from './processes.ts';

export interface Tree {
  mark: string;
  /** The names of the folders of the run, in which the sockets of ssh connections lie. */
  folders: string[];
  /** The process groups that its programs lead. */
  groups: number[];
  controlGroups: string[];
  /** The pid of the supervisor, which has the mark too but has to write the exit code. */
  except: number | null;
  /** The id of a user that runs only this task; null: none. */
  uid: number | null;
}

/**
 * The start times of processes found in a tree before, by pid. Without it, an orphan in a session of its own and
 * without the mark would not be recognized.
 */
export type KnownProcesses = Map<number, string>;

export type Member = Pick<SeenProcess, 'pid' | 'parent' | 'startTime'>;

/** The running processes of the tree, which are added to `known`. */
export async function listMembers(tree: Tree, known: KnownProcesses): Promise<Member[]> {
  const seen = await listProcesses();
  if (!seen) return tree.groups.filter(hasMembers).map(asMember);
  const running = seen.filter(
    ({ pid, state }) => state !== 'Z' && pid !== tree.except && pid !== process.pid,
  );
  const held = new Set((await Promise.all(tree.controlGroups.map(groupMembers))).flat());
  const found = running.filter(
    (one) => known.get(one.pid) === one.startTime || isMember(one, tree, held),
  );
  const own = seen.find(({ pid }) => pid === process.pid)?.session;
  const members = withDescendants(running, found, own);
  for (const { pid, startTime } of members) known.set(pid, startTime);
  return members;
}

/** Without /proc only process groups are known; a negative pid means a group. */
const asMember = (group: number): Member => ({ pid: -group, parent: 0, startTime: '' });

function hasMembers(group: number): boolean {
  try {
    process.kill(-group, 0);
    return true;
  } catch {
    return false;
  }
}

function isMember(
  seen: SeenProcess,
  { mark, folders, groups, uid }: Tree,
  held: Set<number>,
): boolean {
  if (held.has(seen.pid) || groups.includes(seen.group)) return true;
  if (uid !== null && userOf(seen.pid) === uid) return true;
  return (
    seen.marks.includes(mark) ||
    (isConnection(seen.title) && folders.some((name) => seen.title.includes(`/${name}/`)))
  );
}

/** Adds the processes of the same sessions, and all descendants. */
function withDescendants(
  running: SeenProcess[],
  found: SeenProcess[],
  ownSession: number | undefined,
): SeenProcess[] {
  const members = new Set(found);
  // The kernel shows a session as 0 when its leader is outside of the container.
  const isOthers = (session: number): boolean => session === 0 || session === ownSession;
  const sessions = new Set(found.map(({ session }) => session).filter((one) => !isOthers(one)));
  const children = Map.groupBy(running, ({ parent }) => parent);
  for (const one of running) if (sessions.has(one.session)) members.add(one);
  // The iteration includes members that are added meanwhile.
  for (const { pid } of members) for (const child of children.get(pid) ?? []) members.add(child);
  return [...members];
}

/** The owner of /proc/PID is root for a process that is not dumpable, so the status is read. */
function userOf(pid: number): number | null {
  const uid = /^Uid:\s+(\d+)/m.exec(readEntry(pid, 'status')?.toString('latin1') ?? '')?.[1];
  return uid === undefined ? null : Number(uid);
}

/** `pid` negative: a process group. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // The process has ended, or belongs to another user.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

// A process that was forked during the listing is found in the next round.
const MAX_ROUNDS = 50;

/** False: a process could not be killed. */
export async function killTree(tree: Tree, known: KnownProcesses = new Map()): Promise<boolean> {
  const { controlGroups } = tree;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    // Listed before the first process ends, because its children then get another parent.
    const pids = (await listMembers(tree, known)).map(({ pid }) => pid);
    if (pids.length === 0) {
      for (const group of controlGroups) await removeGroup(group);
      return true;
    }
    for (const group of controlGroups) killGroup(group);
    for (const pid of pids) sendSignal(pid, 'SIGKILL');
    await delay(round < 10 ? 5 : 50);
  }
  return false;
}
