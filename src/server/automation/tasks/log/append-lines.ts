import type { LogLine } from '#shared/api/task-log.ts';
import type { Context } from '../../../context/context.ts';
import type { Db } from '../../../db/open.ts';
import { inPieces } from '../../../lib/pieces.ts';
import { createLogChunks, type LogChunks } from './log-chunks.ts';
import { newestLinesOf } from './newest-lines.ts';
import { findLastChunk, packChunks, writeChunks } from './task-log.store.ts';
import { findProgress, type LeasedTask } from '../rows/tasks.store.ts';

export type LoggedTask = Required<LeasedTask> & { project_id: number };

export interface NewLines {
  lines: LogLine[];
  /** The byte of the spool behind the lines; absent: it does not change. */
  spoolOffset?: number;
}

export interface PackedLines {
  /** The number of lines of the log with them. */
  total: number;
  /** Stores them; in a transaction. */
  write: (db: Db) => Promise<void>;
  /** Publishes that they are stored, after the transaction. */
  publish: () => void;
}

/** Packs lines that come after the `stored` lines of a log; null: there are none. */
export async function packLines(
  ctx: Context,
  task: LoggedTask,
  stored: number,
  { lines, spoolOffset }: NewLines,
): Promise<PackedLines | null> {
  const { id: taskId, project_id: projectId } = task;
  const newest = newestLinesOf(ctx.hub);
  const last =
    stored === 0 ? null : (newest.chunkOf(taskId, stored) ?? (await findLastChunk(ctx.db, taskId)));
  const chunks = createLogChunks(stored, last);
  await inPieces(appending(chunks, lines));
  const bytes = chunks.pending();
  const pending = chunks.take();
  if (!pending) return null;
  const { from, total } = pending;
  const rows = await packChunks(taskId, pending.chunks);
  const offset = spoolOffset === undefined ? {} : { spool_offset: spoolOffset };
  return {
    total,
    // Refused if the log has grown since it was read, because another writer may append to it too.
    write: (db) => writeChunks(db, task, rows, { log_lines: total, stored, ...offset }),
    publish() {
      const open = pending.chunks.at(-1);
      if (open) newest.keep(taskId, open);
      ctx.telemetry.count('signalbox_log_stored_lines_total', {}, total - stored);
      ctx.telemetry.count('signalbox_log_stored_bytes_total', {}, bytes);
      ctx.hub.publish('log.appended', { projectId, taskId, from, total });
    },
  };
}

/** Appends lines to a log of `stored` lines; returns the new number of lines. */
export async function appendLines(
  ctx: Context,
  task: LoggedTask,
  stored: number,
  lines: NewLines,
): Promise<number> {
  const packed = await packLines(ctx, task, stored, lines);
  if (!packed) return stored;
  await ctx.db.transaction().execute(packed.write);
  packed.publish();
  return packed.total;
}

/** Lines after which long work yields to the event loop. */
export const linesOfPiece = 1000;

function* appending(chunks: LogChunks, lines: LogLine[]): Generator<void, void> {
  for (const [index, line] of lines.entries()) {
    chunks.append(storable(line));
    if (index % linesOfPiece === linesOfPiece - 1) yield;
  }
}

/** PostgreSQL cannot store NUL in a text. */
function storable(line: LogLine): LogLine {
  const { time, output } = line;
  return output.includes('\0') ? { time, output: output.replaceAll('\0', '\uFFFD') } : line;
}

/** Appends lines of the server itself to the log of a task that no runner holds. */
export async function addWords(ctx: Context, task: LoggedTask, words: string[]): Promise<void> {
  const time = ctx.clock.now().toISOString();
  const stored = (await findProgress(ctx.db, task.id))?.lines ?? 0;
  const lines = words.map((output) => ({ time, output }));
  await appendLines(ctx, task, stored, { lines });
}
