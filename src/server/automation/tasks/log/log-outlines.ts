// The outlines of logs, from the reports of our Ansible callback. Without reports, as in logs of earlier
// versions and of scripts that call Ansible, the text is parsed: once, with a cache, so that only the new
// lines of a growing log have to be read.

import type { LogOutline } from '#shared/api/task-log.ts';
import type { Task } from '#shared/api/tasks.ts';
import { stateOf } from '../../../../node/async/state-of.ts';
import type { Db } from '../../../db/open.ts';
import { createOutline, MAX_SECTIONS, type OutlineReader } from './log-outline.ts';
import { listSections } from './sections.store.ts';
import { chunksFrom } from './task-log.store.ts';

/** Sections of all cached outlines together. */
const MAX_KEPT = 50_000;

interface CachedOutline {
  outline: OutlineReader;
  /** The number of the last line that was read. */
  through: number;
  turn: Promise<void>;
}

// By database and task. Stored lines never change.
const keptOf = stateOf((_db: Db) => new Map<number, CachedOutline>());

interface OutlineRequest {
  /** The number of the first requested line. */
  from: number;
  /** Ends the reading early when it fires. */
  gone: AbortSignal;
}

/** The sections that begin at a line or after it. */
export async function findOutline(
  db: Db,
  task: Pick<Task, 'id' | 'log_lines'>,
  request: OutlineRequest,
): Promise<LogOutline> {
  const reported = await listSections(db, task.id);
  if (reported.length === 0) return findInText(db, task, request);
  return {
    // The last heading may be behind the last line, if nothing was printed after it.
    sections: reported
      .map((one) => ({ ...one, line: Math.min(one.line, Math.max(1, task.log_lines)) }))
      .filter(({ line }) => line >= request.from),
    through: task.log_lines,
    is_complete: reported.length < MAX_SECTIONS,
  };
}

async function findInText(
  db: Db,
  task: Pick<Task, 'id' | 'log_lines'>,
  { from, gone }: OutlineRequest,
): Promise<LogOutline> {
  const kept = takeKept(db, task);
  // One after the other, so that no line is read twice.
  const turn = kept.turn.then(() => readOn(db, task, kept, gone));
  kept.turn = turn.catch(() => undefined);
  await turn;
  const { sections, isComplete } = kept.outline;
  const first = sections.findIndex(({ line }) => line >= from);
  return {
    sections: first < 0 ? [] : sections.slice(first),
    through: kept.through,
    is_complete: isComplete,
  };
}

/** The cached outline of the log, or an empty one; it becomes the newest of an LRU cache. */
function takeKept(db: Db, { id, log_lines: lines }: Pick<Task, 'id' | 'log_lines'>): CachedOutline {
  const all = keptOf(db);
  const known = all.get(id);
  // A log that had lines and has none now was removed.
  const isKnown = known !== undefined && (lines > 0 || known.through === 0);
  const kept = isKnown ? known : { outline: createOutline(), through: 0, turn: Promise.resolve() };
  all.delete(id);
  all.set(id, kept);
  let size = 0;
  for (const [other, { outline }] of [...all].toReversed()) {
    size += outline.sections.length;
    if (size > MAX_KEPT && other !== id) all.delete(other);
  }
  return kept;
}

async function readOn(
  db: Db,
  { id, log_lines: end }: Pick<Task, 'id' | 'log_lines'>,
  kept: CachedOutline,
  gone: AbortSignal,
): Promise<void> {
  if (kept.through >= end) return;
  // Other work runs between two chunks, because chunks are unpacked outside the event loop.
  for await (const chunk of chunksFrom(db, id, kept.through + 1)) {
    for (const { output } of chunk.lines()) {
      kept.through += 1;
      kept.outline.read(kept.through, output);
    }
    if (gone.aborted || kept.through >= end) return;
  }
}
