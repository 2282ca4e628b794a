// All processes of the machine, as /proc shows them. Many runs that end at once look for their
// processes at once: whoever asks while a look goes on shares the next one with all who wait for it.

import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { parseStat } from './identity.ts';

/** Environment variable that every process of a run inherits. */
export const markName = 'SIGNALBOX_RUN';

export interface SeenProcess {
  pid: number;
  state: string;
  group: number;
  /** Of the run that it belongs to; none: it has none, or does not show it. */
  marks: string[];
  /** What it calls itself. */
  title: string;
}

let going: Promise<unknown> = Promise.resolve();
let next: Promise<SeenProcess[] | null> | null = null;

/** The processes of a moment after this call; null: the system has no /proc. */
export function listProcesses(): Promise<SeenProcess[] | null> {
  next ??= going.then(() => {
    next = null;
    const seen = look();
    going = seen.catch(() => undefined);
    return seen;
  });
  return next;
}

// Processes looked at before others get their turn.
const atOnce = 100;

async function look(): Promise<SeenProcess[] | null> {
  const entries = await readdir('/proc').catch(() => null);
  if (!entries) return null;
  const seen: SeenProcess[] = [];
  for (const [index, name] of entries.entries()) {
    if (index % atOnce === atOnce - 1) await setImmediate();
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

/** A process may have given itself more of them: each counts. */
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

/** No disk stands behind /proc, so waiting for these small files costs more than reading them. */
export function readEntry(pid: number, name: string): Buffer | null {
  try {
    return readFileSync(`/proc/${pid}/${name}`);
  } catch {
    // It has ended, or belongs to another user.
    return null;
  }
}
