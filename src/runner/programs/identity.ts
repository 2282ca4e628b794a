// Identifies a process by more than its pid, which the system reuses.

import { lazy } from '../../node/async/state-of.ts';
import { readSmallFile } from '../../node/fs/small-file.ts';

export interface Identity {
  pid: number;
  /** Clock ticks between boot and start. */
  startTime: string;
  /** The id of the boot, because start times begin at the boot. */
  boot: string;
}

export function parseIdentity(text: string): Identity | null {
  const [pid, startTime, boot] = text.trim().split(' ');
  return pid && startTime && boot ? { pid: Number(pid), startTime, boot } : null;
}

/** The boot id on a system without /proc, also in supervisor.sh. */
const withoutProc = 'none';

function acceptsSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const bootId = lazy(() => readSmallFile('/proc/sys/kernel/random/boot_id')?.trim() ?? withoutProc);

/** Whether the process runs; a zombie does not. */
export function isAlive({ pid, startTime, boot }: Identity): boolean {
  if (boot !== bootId()) return false;
  if (boot === withoutProc) return acceptsSignals(pid);
  const fields = statOf(pid);
  return fields !== null && fields.state !== 'Z' && fields.startTime === startTime;
}

/** The identity of a process in the format of supervisor.sh; null: it has ended. */
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
  /** Whether it is a kernel thread. */
  isKernel: boolean;
}

/** The kernel's flag of its threads (`PF_KTHREAD`). */
const kernelFlag = 0x200000;

/** Null: there is no such process. */
export const statOf = (pid: number): ProcessStat | null =>
  parseStat(readSmallFile(`/proc/${pid}/stat`) ?? '');

/** Parses /proc/PID/stat; null: another text. */
export function parseStat(line: string): ProcessStat | null {
  // The name is in brackets and may contain any character, so fields are counted from the last bracket.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const [state, ...others] = fields;
  const [parent = 0, group = 0, session = 0, , , flags = 0] = others.map(Number);
  const startTime = fields[19];
  if (!state || !startTime) return null;
  return { state, parent, group, session, startTime, isKernel: (flags & kernelFlag) !== 0 };
}
