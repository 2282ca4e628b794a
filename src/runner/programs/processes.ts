// Lists all processes of the machine from /proc. Many runs may end at once, so all calls during a scan share the next
// scan.

import { closeSync, openSync, readSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { parseStat, type ProcessStat } from './identity.ts';

/** The environment variable that every process of a run inherits; its value is the mark of the run. */
export const markName = 'SIGNALBOX_RUN';

export interface SeenProcess extends Omit<ProcessStat, 'isKernel'> {
  pid: number;
  /** The marks in its environment; empty: none, or the environment cannot be read. */
  marks: string[];
  /** Its command line, which a process can change. */
  title: string;
}

interface KnownProcess {
  startTime: string;
  marks: string[];
}

/**
 * The processes of the last scan. A process inherits its marks, so they are only read again when the pid was
 * reused.
 */
let known = new Map<number, KnownProcess>();

let going: Promise<unknown> = Promise.resolve();
let next: Promise<SeenProcess[] | null> | null = null;

/**
 * Whether a title is that of an ssh connection that stays open for later commands (ControlPersist). The title
 * overwrites the environment, and has the path of the socket, which lies in the folder of a run.
 */
export const isConnection = (title: string): boolean => title.startsWith('ssh: ');

/** The processes at a time after this call; null: the system has no /proc. */
export function listProcesses(): Promise<SeenProcess[] | null> {
  next ??= going.then(() => {
    next = null;
    const seen = scan();
    going = seen.catch(() => undefined);
    return seen;
  });
  return next;
}

// The scan yields to the event loop after this many processes.
const processesAtOnce = 100;

async function scan(): Promise<SeenProcess[] | null> {
  const entries = await readdir('/proc').catch(() => null);
  if (!entries) return null;
  const threads = kernelThreads();
  const pids = entries.filter((name) => /^\d+$/.test(name) && !threads.has(name));
  const seen: SeenProcess[] = [];
  const found = new Map<number, KnownProcess>();
  for (const [index, pid] of pids.entries()) {
    if (index % processesAtOnce === processesAtOnce - 1) await setImmediate();
    const one = inspect(Number(pid), found);
    if (one) seen.push(one);
  }
  known = found;
  return seen;
}

/** The pid of kthreadd, the parent of kernel threads, of which a machine with many cores has a thousand. */
const threadParent = 2;

/** The pids of kernel threads, as far as the kernel lists them. In a container kthreadd's pid is another process. */
function kernelThreads(): Set<string> {
  const isKernel = parseStat(readEntry(threadParent, 'stat')?.toString('latin1') ?? '')?.isKernel;
  const file = `task/${threadParent}/children`;
  const text = isKernel ? readEntry(threadParent, file)?.toString('latin1') : undefined;
  return new Set(text?.split(' '));
}

/** Adds the process to `found`, unless its marks have to be read again. */
function inspect(pid: number, found: Map<number, KnownProcess>): SeenProcess | null {
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
  // In this order: a process that changes its title may overwrite its environment.
  const marks = marksOf(pid);
  const title = readEntry(pid, 'cmdline')?.toString('latin1') ?? '';
  if (marks && !isConnection(title)) found.set(pid, { startTime, marks });
  return { pid, ...identity, marks: marks ?? [], title };
}

const sign = Buffer.from(`${markName}=`);

/**
 * All marks of a process, which may have set the variable again; null: unreadable now. The environment is empty
 * during an exec.
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

let entryBuffer = Buffer.allocUnsafe(64 * 1024);

/**
 * Reads a file of a process synchronously, since /proc is in memory. The next call overwrites the result. Null:
 * the process has ended, or belongs to another user.
 */
export function readEntry(pid: number, name: string): Buffer | null {
  let file: number | null = null;
  try {
    file = openSync(`/proc/${pid}/${name}`, 'r');
    let length = 0;
    for (;;) {
      const read = readSync(file, entryBuffer, length, entryBuffer.length - length, null);
      if (read === 0) return entryBuffer.subarray(0, length);
      length += read;
      if (length === entryBuffer.length) entryBuffer = Buffer.concat([entryBuffer], 2 * length);
    }
  } catch {
    return null;
  } finally {
    if (file !== null) closeSync(file);
  }
}
