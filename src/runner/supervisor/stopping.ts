// Stops the processes of a program step by step, because one that is told to end may need those that it
// has started: Terraform finishes what it is making with the help of its providers.
//   0 s   TERM to the main program alone
//   then, when it has ended or after ten seconds, the rest has ten seconds:
//     TERM to what the main program has started, and to each process below when the one above it has ended
//     after five of them TERM to all that have got none, such as a command that a shell waits for
//     KILL
// No process gets a second signal in this time: Terraform and many others then end at once. So what was
// told is recorded, and a later runner goes on with it.

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

/** The file in the folder of a step that records how far the stop of its program has come. */
export const stopFile = 'stop';

interface StopRecord {
  /** When the stop began, and when the turn of the other processes came; in milliseconds. */
  since: number;
  restSince: number | null;
  /** The processes that were found and those that were told, as pairs of pid and start time. */
  known: [number, string][];
  told: [number, string][];
  isKilled: boolean;
  isOver: boolean;
}

export interface Stopped {
  folder: string;
  tree: () => Tree;
  /** The main program; null: it is not known yet. */
  main: () => Identity | null;
  /** Ends the stop without its end: all are killed now, or the next runner goes on. */
  signal: AbortSignal;
}

/**
 * Settles when no process of the program is left, or when the signal fires. True: some were killed,
 * because they did not end in time.
 */
export async function stopProcesses({ folder, tree, main, signal }: Stopped): Promise<boolean> {
  const record = readRecord(folder) ?? newRecord();
  const known: KnownProcesses = new Map(record.known);
  const told: KnownProcesses = new Map(record.told);
  while (!signal.aborted && !record.isOver) {
    const first = main();
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
    // It is saved first: a process that was told and is not recorded would be told again.
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

/** Notes when the turn of the processes has come that the main program has started. */
function noteTurn(record: StopRecord, first: Identity | null): void {
  const hasEnded = first !== null && !isAlive(first);
  if (hasEnded || Date.now() - record.since >= graceMs) record.restSince ??= Date.now();
}

/** The processes that get TERM now. */
function dueOf(
  { restSince }: StopRecord,
  members: Member[],
  { first, told }: { first: Identity | null; told: KnownProcesses },
): Member[] {
  const fresh = members.filter(({ pid, startTime }) => told.get(pid) !== startTime);
  if (restSince === null) return fresh.filter(({ pid }) => pid === first?.pid);
  if (Date.now() - restSince >= graceMs / 2) return fresh;
  // The main program has had its time: what it has started is told, whether it has ended or not.
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
    // The disk may be full. The program is told all the same; only a later runner would tell it again.
  }
}
