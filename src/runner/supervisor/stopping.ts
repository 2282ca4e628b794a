// Stops the processes of a program step by step, because one that shuts down may need those that it has started:
// Terraform finishes what it creates with the help of its providers.
//   0 s   TERM to the main program alone
//   then, when it has ended or after ten seconds, the others have ten seconds:
//     TERM to the children of the main program, and to each process below when its parent has ended
//     after five of them TERM to all others, such as a command that a shell waits for
//     KILL
// No process gets a second signal meanwhile: Terraform and many others then exit at once. So sent signals are recorded,
// and a later runner continues.

import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive, type Identity } from '../programs/identity.ts';
import {
  killTree,
  listMembers,
  sendSignal,
  type KnownProcesses,
  type Member,
  type Tree,
} from '../programs/process-tree.ts';
import { readSmallFile } from '../../node/fs/small-file.ts';

const graceMs = 10_000;
const pauseMs = 100;

/** The file in the folder of a step that records the progress of the stop. */
export const stopFile = 'stop';

interface StopRecord {
  /** When the stop began, and when it reached the other processes, in milliseconds. */
  since: number;
  restSince: number | null;
  /** The processes that were found and those that got TERM, as pairs of pid and start time. */
  known: [number, string][];
  told: [number, string][];
  isKilled: boolean;
  isOver: boolean;
}

export interface Stopped {
  folder: string;
  tree: () => Tree;
  /** The main program; null: it is not known yet. */
  main: () => Promise<Identity | null>;
  /** Aborts the stop: all processes are killed, or the next runner continues. */
  signal: AbortSignal;
}

/** Settles when no process of the program is left, or when the signal fires. True: some did not end in time. */
export async function stopProcesses({ folder, tree, main, signal }: Stopped): Promise<boolean> {
  const record = readRecord(folder) ?? newRecord();
  const known: KnownProcesses = new Map(record.known);
  const told: KnownProcesses = new Map(record.told);
  while (!signal.aborted && !record.isOver) {
    const first = await main();
    const members = await listMembers(tree(), known);
    if (signal.aborted) break;
    noteTurn(record, first);
    const isLate = isTimeOver(record);
    if (isLate) {
      record.isKilled ||= members.length > 0;
      await killTree(tree(), known);
    }
    record.isOver = isLate || (first !== null && members.length === 0);
    const due = record.isOver ? [] : dueOf(record, members, { first, told });
    for (const { pid, startTime } of due) told.set(pid, startTime);
    const isChanged = record.isOver || due.length > 0;
    // Saved first, because a process whose signal is not recorded would get it again.
    if (isChanged) writeRecord(folder, { ...record, known: [...known], told: [...told] });
    for (const { pid } of due) sendSignal(pid, 'SIGTERM');
    if (!record.isOver) await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
  return record.isKilled;
}

const isTimeOver = ({ restSince }: StopRecord): boolean =>
  restSince !== null && Date.now() - restSince >= graceMs;

const newRecord = (): StopRecord => ({
  since: Date.now(),
  restSince: null,
  known: [],
  told: [],
  isKilled: false,
  isOver: false,
});

/** Records when the stop reaches the processes that the main program has started. */
function noteTurn(record: StopRecord, first: Identity | null): void {
  const hasEnded = first !== null && !isAlive(first);
  if (hasEnded || Date.now() - record.since >= graceMs) record.restSince ??= Date.now();
}

function dueOf(
  { restSince }: StopRecord,
  members: Member[],
  { first, told }: { first: Identity | null; told: KnownProcesses },
): Member[] {
  const fresh = members.filter(({ pid, startTime }) => told.get(pid) !== startTime);
  if (restSince === null) return fresh.filter(({ pid }) => pid === first?.pid);
  if (Date.now() - restSince >= graceMs / 2) return fresh;
  // The main program no longer counts as a parent, whether it has ended or not.
  const above = new Set(members.map(({ pid }) => pid).filter((pid) => pid !== first?.pid));
  return fresh.filter(({ parent }) => !above.has(parent));
}

function readRecord(folder: string): StopRecord | null {
  const text = readSmallFile(join(folder, stopFile));
  return text === null ? null : (JSON.parse(text) as StopRecord);
}

function writeRecord(folder: string, record: StopRecord): void {
  const path = join(folder, stopFile);
  try {
    writeFileSync(`${path}.new`, JSON.stringify(record), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  } catch {
    // The disk may be full. Only a later runner would send the signals again.
  }
}
