// Lists all processes of the machine from /proc. Many runs may end at once and each lists them, so
// all calls during a scan share the next one.

import { closeSync, openSync, readSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { parseStat } from './identity.ts';

/** The environment variable that every process of a run inherits; its value is the mark of the run. */
export const markName = 'SIGNALBOX_RUN';

export interface SeenProcess {
  pid: number;
  state: string;
  parent: number;
  group: number;
  session: number;
  /** Clock ticks between boot and start: tells it from a later process with the same pid. */
  startTime: string;
  /** The marks in its environment; empty: there is none, or the environment cannot be read. */
  marks: string[];
  /** Its command line, which a process can change. */
  title: string;
}

interface KnownProcess {
  startTime: string;
  marks: string[];
}

/**
 * The processes that the last scan saw, of runs or of none. A process gets its mark from the one that
 * started it, so they need only be looked at again when their pid is another process.
 */
let known = new Map<number, KnownProcess>();

let going: Promise<unknown> = Promise.resolve();
let next: Promise<SeenProcess[] | null> | null = null;

/**
 * Whether a title is that of a process in which ssh keeps a connection open for later commands. Its title
 * overwrites its environment and names its socket, which lies in the folder of a run.
 */
export const isConnection = (title: string): boolean => title.startsWith('ssh: ');

/** The processes at a moment after this call; null: the system has no /proc. */
export function listProcesses(): Promise<SeenProcess[] | null> {
  next ??= going.then(() => {
    next = null;
    const seen = look();
    going = seen.catch(() => undefined);
    return seen;
  });
  return next;
}

// The scan gives way to other work after so many processes.
const processesAtOnce = 100;

async function look(): Promise<SeenProcess[] | null> {
  const entries = await readdir('/proc').catch(() => null);
  if (!entries) return null;
  const threads = kernelThreads();
  const pids = entries.filter((name) => /^\d+$/.test(name) && !threads.has(name));
  const seen: SeenProcess[] = [];
  const found = new Map<number, KnownProcess>();
  for (const [index, pid] of pids.entries()) {
    if (index % processesAtOnce === processesAtOnce - 1) await setImmediate();
    const one = see(Number(pid), found);
    if (one) seen.push(one);
  }
  known = found;
  return seen;
}

/** The process of the kernel that starts its threads, of which a machine of many cores has a thousand. */
const threadParent = 2;

/** The pids of threads of the kernel, as far as the kernel lists them. In a container the pid is another process. */
function kernelThreads(): Set<string> {
  const isKernel = parseStat(readEntry(threadParent, 'stat')?.toString('latin1') ?? '')?.isKernel;
  const file = `task/${threadParent}/children`;
  const text = isKernel ? readEntry(threadParent, file)?.toString('latin1') : undefined;
  return new Set(text?.split(' '));
}

/** Adds the process to `found`, unless it has to be looked at again. */
function see(pid: number, found: Map<number, KnownProcess>): SeenProcess | null {
  const stat = parseStat(readEntry(pid, 'stat')?.toString('latin1') ?? '');
  if (!stat) return null;
  const { isKernel, ...identity } = stat;
  const { startTime } = identity;
  if (isKernel) return null;
  const before = known.get(pid);
  if (before?.startTime === startTime) {
    found.set(pid, before);
    return { pid, ...identity, marks: before.marks, title: '' };
  }
  // In this order: a process that changes its title may overwrite its environment with it.
  const marks = marksOf(pid);
  const title = readEntry(pid, 'cmdline')?.toString('latin1') ?? '';
  if (marks && !isConnection(title)) found.set(pid, { startTime, marks });
  return { pid, ...identity, marks: marks ?? [], title };
}

const sign = Buffer.from(`${markName}=`);

/**
 * All marks of a process, which may have set the variable again; null: they cannot be read now. The
 * environment of a process is empty while it becomes another program.
 */
function marksOf(pid: number): string[] | null {
  const environment = readEntry(pid, 'environ');
  if (!environment || environment.length === 0) return null;
  const marks: string[] = [];
  let at = environment.indexOf(sign);
  while (at >= 0) {
    const begin = at + sign.length;
    const end = environment.indexOf(0, begin);
    if (end >= 0) marks.push(environment.toString('latin1', begin, end));
    at = environment.indexOf(sign, begin);
  }
  return marks;
}

let room = Buffer.allocUnsafe(64 * 1024);

/**
 * Reads a file of a process synchronously: /proc is in memory, and awaiting small files takes longer.
 * The next call overwrites the answer. Null: the process has ended, or belongs to another user.
 */
export function readEntry(pid: number, name: string): Buffer | null {
  let file: number | null = null;
  try {
    file = openSync(`/proc/${pid}/${name}`, 'r');
    let length = 0;
    for (;;) {
      const read = readSync(file, room, length, room.length - length, null);
      if (read === 0) return room.subarray(0, length);
      length += read;
      if (length === room.length) room = Buffer.concat([room], 2 * length);
    }
  } catch {
    return null;
  } finally {
    if (file !== null) closeSync(file);
  }
}
