// Which process is meant: a pid alone may belong to another one by now.

import { readFile } from 'node:fs/promises';

export interface Identity {
  pid: number;
  /** Ticks since boot. */
  startTime: string;
  /** Start times begin anew with each boot. */
  boot: string;
}

export function parseIdentity(text: string): Identity | null {
  const [pid, startTime, boot] = text.trim().split(' ');
  return pid && startTime && boot ? { pid: Number(pid), startTime, boot } : null;
}

/** What the supervisor writes where there is no /proc. */
const withoutProc = 'none';

function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

let thisBoot: Promise<string> | null = null;

function bootId(): Promise<string> {
  thisBoot ??= readFile('/proc/sys/kernel/random/boot_id', 'utf8').then(
    (text) => text.trim(),
    () => withoutProc,
  );
  return thisBoot;
}

/** Whether the process still runs; one that has ended but is not yet collected does not. */
export async function isAlive({ pid, startTime, boot }: Identity): Promise<boolean> {
  if (boot !== (await bootId())) return false;
  if (boot === withoutProc) return answersSignals(pid);
  const fields = await statOf(pid);
  return fields !== null && fields.state !== 'Z' && fields.startTime === startTime;
}

/** How a process is noted, as the supervisor does it; null: it has ended. */
export async function identityOf(pid: number): Promise<string | null> {
  const boot = await bootId();
  if (boot === withoutProc) return `${pid} 0 ${boot}`;
  const fields = await statOf(pid);
  return fields && `${pid} ${fields.startTime} ${boot}`;
}

export interface ProcessStat {
  state: string;
  group: number;
  startTime: string;
}

/** What /proc says of a process; null when there is none. */
export async function statOf(pid: number): Promise<ProcessStat | null> {
  return parseStat(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''));
}

/** Reads the line of a process in /proc; null when it is none. */
export function parseStat(line: string): ProcessStat | null {
  // The name stands in brackets and may hold any character: count behind the last one.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const [state, , group] = fields;
  const startTime = fields[19];
  return state && group && startTime ? { state, group: Number(group), startTime } : null;
}
