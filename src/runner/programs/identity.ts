// Identifies a process by more than its pid, which the system gives to another process later.

import { lazy } from '../../node/async/state-of.ts';
import { readSmallFile } from '../../node/fs/small-file.ts';

export interface Identity {
  pid: number;
  /** Clock ticks between boot and start. */
  startTime: string;
  /** The id of the boot, because start times count from the boot. */
  boot: string;
}

export function parseIdentity(text: string): Identity | null {
  const [pid, startTime, boot] = text.trim().split(' ');
  return pid && startTime && boot ? { pid: Number(pid), startTime, boot } : null;
}

/** The boot id that the supervisor writes on a system without /proc. */
const withoutProc = 'none';

function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const bootId = lazy(() => readSmallFile('/proc/sys/kernel/random/boot_id')?.trim() ?? withoutProc);

/** Whether the process still runs; a zombie does not. */
export function isAlive({ pid, startTime, boot }: Identity): boolean {
  if (boot !== bootId()) return false;
  if (boot === withoutProc) return answersSignals(pid);
  const fields = statOf(pid);
  return fields !== null && fields.state !== 'Z' && fields.startTime === startTime;
}

/** The identity of a process as text, in the form that the supervisor writes; null: it has ended. */
export function identityOf(pid: number): string | null {
  const boot = bootId();
  if (boot === withoutProc) return `${pid} 0 ${boot}`;
  const fields = statOf(pid);
  return fields && `${pid} ${fields.startTime} ${boot}`;
}

export interface ProcessStat {
  state: string;
  parent: number;
  group: number;
  session: number;
  startTime: string;
  /** Whether it is a thread of the kernel, which runs no program. */
  isKernel: boolean;
}

/** The kernel's flag of its own threads (`PF_KTHREAD`). */
const kernelFlag = 0x200000;

/** What /proc tells about a process; null: there is no such process. */
export const statOf = (pid: number): ProcessStat | null =>
  parseStat(readSmallFile(`/proc/${pid}/stat`) ?? '');

/** Parses the text of /proc/PID/stat; null: the text is not one. */
export function parseStat(line: string): ProcessStat | null {
  // The name stands in brackets and may hold any character, so fields count from the last bracket.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const [state, ...others] = fields;
  const [parent = 0, group = 0, session = 0, , , flags = 0] = others.map(Number);
  const startTime = fields[19];
  if (!state || !startTime) return null;
  return { state, parent, group, session, startTime, isKernel: (flags & kernelFlag) !== 0 };
}
