// Lists all processes of the machine from /proc. Many runs may end at once and each lists them, so
// all calls during a scan share the next one.

import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { parseStat } from './identity.ts';

/** The environment variable that every process of a run inherits; its value is the mark of the run. */
export const markName = 'SIGNALBOX_RUN';

export interface SeenProcess {
  pid: number;
  state: string;
  group: number;
  /** The marks in its environment; empty: there is none, or the environment cannot be read. */
  marks: string[];
  /** Its command line, which a process can change. */
  title: string;
}

let going: Promise<unknown> = Promise.resolve();
let next: Promise<SeenProcess[] | null> | null = null;

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
  const seen: SeenProcess[] = [];
  for (const [index, name] of entries.entries()) {
    if (index % processesAtOnce === processesAtOnce - 1) await setImmediate();
    const one = /^\d+$/.test(name) ? see(Number(name)) : null;
    if (one) seen.push(one);
  }
  return seen;
}

function see(pid: number): SeenProcess | null {
  const stat = parseStat(readEntry(pid, 'stat')?.toString('latin1') ?? '');
  if (!stat) return null;
  const title = readEntry(pid, 'cmdline')?.toString('latin1') ?? '';
  return { pid, state: stat.state, group: stat.group, marks: marksOf(pid), title };
}

const sign = Buffer.from(`${markName}=`);
const nothing = Buffer.alloc(0);

/** All marks of a process, which may have set the variable again. */
function marksOf(pid: number): string[] {
  const environment = readEntry(pid, 'environ') ?? nothing;
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

/** Reads a file of a process synchronously: /proc is in memory, and awaiting small files takes longer. */
export function readEntry(pid: number, name: string): Buffer | null {
  try {
    return readFileSync(`/proc/${pid}/${name}`);
  } catch {
    // The process has ended, or belongs to another user.
    return null;
  }
}
