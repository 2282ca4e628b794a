// Searches a log for a text, chunk by chunk, with little memory and without blocking the event loop.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LogHit, LogHits } from '#shared/api/task-log.ts';
import type { Task } from '#shared/api/tasks.ts';
import { shownText, textPattern, withoutStyles } from '#shared/terminal.ts';
import type { Db } from '../../../db/open.ts';
import { chunksFrom } from './task-log.store.ts';

export interface LogSearch {
  q: string;
  case: 'on' | 'off';
  from: number;
  limit: number;
  /** Ends the search early when it fires. */
  gone: AbortSignal;
}

export const MAX_HITS = 10_000;

// The characters of an excerpt, and how many of them stand before the hit.
const excerptLength = 200;
const leadLength = 60;

export async function searchLog(
  db: Db,
  { id, log_lines: through }: Pick<Task, 'id' | 'log_lines'>,
  { q, case: matchCase, from, limit, gone }: LogSearch,
): Promise<LogHits> {
  const pattern = textPattern(q, matchCase === 'on');
  const hits: LogHit[] = [];
  let total = 0;
  let next: number | null = null;
  let number = from;
  // Other work runs between two chunks, because chunks are unpacked outside the event loop.
  for await (const chunk of chunksFrom(db, id, from)) {
    number = chunk.from;
    const lines = (await mayHave(chunk.text, pattern)) ? chunk.lines() : [];
    for (const { output } of lines.slice(0, through - number + 1)) {
      const hit = await findIn(output, number, pattern);
      number += 1;
      if (!hit) continue;
      if (total === MAX_HITS) return { total, is_exact: false, hits, next, through };
      total += 1;
      if (total <= limit) hits.push(hit);
      else next ??= hit.line;
    }
    if (gone.aborted || chunk.from + chunk.count > through) break;
  }
  return { total, is_exact: true, hits, next, through };
}

/** False: no line contains the text. Skips most chunks without a search of each line. */
async function mayHave(text: string, pattern: RegExp): Promise<boolean> {
  const plain = withoutStyles(text);
  return plain === null || (await firstIn(plain, pattern)) !== null;
}

// Characters that are searched before yielding: lines may have many megabytes. Pieces overlap, because a
// hit may begin in one piece and end in the next.
const pieceLength = 256 * 1024;
const overlap = 1024;

/** The first match. Yields to the event loop between the pieces of a long text. */
async function firstIn(
  text: string,
  pattern: RegExp,
): Promise<{ index: number; length: number } | null> {
  for (let start = 0; start <= text.length; start += pieceLength) {
    if (start > 0) await nextTurn();
    const isWhole = text.length <= pieceLength;
    const piece = isWhole ? text : text.slice(start, start + pieceLength + overlap);
    const found = pattern.exec(piece);
    if (found) return { index: start + found.index, length: found[0].length };
  }
  return null;
}

async function findIn(output: string, line: number, pattern: RegExp): Promise<LogHit | null> {
  const shown = shownText(output);
  const found = await firstIn(shown, pattern);
  if (!found) return null;
  const start = Math.max(0, found.index - leadLength);
  const text = shown.slice(start, start + excerptLength);
  const at = found.index - start;
  return { line, text, at, length: Math.min(found.length, text.length - at) };
}
