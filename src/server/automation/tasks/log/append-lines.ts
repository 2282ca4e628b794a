// Appends lines to the log of a task.

import type { LogLine } from '#shared/api/task-log.ts';
import type { Context } from '../../../context/context.ts';
import { createLogChunks } from './log-chunks.ts';
import { newestLinesOf } from './newest-lines.ts';
import { findLastChunk, writeChunks } from './task-log.store.ts';
import { findProgress, type Held } from '../rows/tasks.store.ts';

export type LoggedTask = Required<Held> & { project_id: number };

export interface NewLines {
  lines: LogLine[];
  /** The byte of the spool behind the lines; absent: it does not change. */
  spoolOffset?: number;
}

/** Appends lines to a log of `stored` lines; answers how many lines it has then. */
export async function appendLines(
  ctx: Context,
  task: LoggedTask,
  stored: number,
  { lines, spoolOffset }: NewLines,
): Promise<number> {
  // What a transaction writes is not stored before its end.
  const newest = ctx.db.isTransaction ? null : newestLinesOf(ctx.hub);
  const last =
    stored === 0
      ? null
      : (newest?.chunkOf(task.id, stored) ?? (await findLastChunk(ctx.db, task.id)));
  const chunks = createLogChunks(stored, last);
  for (const line of lines) chunks.append(storable(line));
  const bytes = chunks.pending();
  const pending = chunks.take();
  if (!pending) return stored;
  const offset = spoolOffset === undefined ? {} : { spool_offset: spoolOffset };
  // Refused if the log has grown since it was read, because another writer may append to it too.
  await writeChunks(ctx.db, task, pending.chunks, { log_lines: pending.total, stored, ...offset });
  const open = pending.chunks.at(-1);
  if (open) newest?.keep(task.id, open);
  ctx.telemetry.count('signalbox_log_stored_lines_total', {}, pending.total - stored);
  ctx.telemetry.count('signalbox_log_stored_bytes_total', {}, bytes);
  const { id: taskId, project_id: projectId } = task;
  ctx.hub.publish('log', { projectId, taskId, from: pending.from, total: pending.total });
  return pending.total;
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
