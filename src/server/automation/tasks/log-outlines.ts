// The outlines of logs. One is read once from its log and then goes on where it had stopped, so
// that a log which grows costs only what is new. The newest few are kept, never the truth.

import type { LogOutline } from '#shared/api/task-log.ts';
import type { Task } from '#shared/api/tasks.ts';
import type { Db } from '../../db/open.ts';
import { createOutline, type OutlineReader } from './log-outline.ts';
import { chunksFrom } from './task-log.store.ts';

/** Sections that are kept, of all logs together. */
const mostKept = 50_000;

interface Kept {
  outline: OutlineReader;
  /** The last line that was read. */
  through: number;
  /** Settles when nobody reads on. */
  turn: Promise<void>;
}

const keptOf = new WeakMap<Db, Map<number, Kept>>();

interface Asked {
  /** The first line that is of interest. */
  from: number;
  /** Ends the reading early. */
  gone: AbortSignal;
}

/** The sections that begin from a line on. */
export async function findOutline(
  db: Db,
  task: Pick<Task, 'id' | 'log_lines'>,
  { from, gone }: Asked,
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

/** What is known of the log already; it becomes the newest of those that are kept. */
function takeKept(db: Db, { id, log_lines: lines }: Pick<Task, 'id' | 'log_lines'>): Kept {
  const all = keptOf.get(db) ?? new Map<number, Kept>();
  keptOf.set(db, all);
  const known = all.get(id);
  // One without lines was removed, if it had some.
  const isKnown = known !== undefined && (lines > 0 || known.through === 0);
  const kept = isKnown ? known : { outline: createOutline(), through: 0, turn: Promise.resolve() };
  all.delete(id);
  all.set(id, kept);
  let size = 0;
  for (const [other, { outline }] of [...all].toReversed()) {
    size += outline.sections.length;
    if (size > mostKept && other !== id) all.delete(other);
  }
  return kept;
}

async function readOn(
  db: Db,
  { id, log_lines: end }: Pick<Task, 'id' | 'log_lines'>,
  kept: Kept,
  gone: AbortSignal,
): Promise<void> {
  if (kept.through >= end) return;
  // Between two chunks others have their turn: unpacking is done beside the event loop.
  for await (const chunk of chunksFrom(db, id, kept.through + 1)) {
    for (const { output } of chunk.lines()) {
      kept.through += 1;
      kept.outline.read(kept.through, output);
    }
    if (gone.aborted || kept.through >= end) return;
  }
}
