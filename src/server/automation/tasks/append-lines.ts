// Puts lines behind those that the log of a task has already.

import type { LogLine } from '#shared/api/task-log.ts';
import type { Context } from '../../context/context.ts';
import { createLogChunks } from './log-chunks.ts';
import { findLastChunk, writeChunks } from './task-log.store.ts';
import { findProgress, type Held } from './tasks.store.ts';

export type LoggedTask = Required<Held> & { project_id: number };

export interface NewLines {
  lines: LogLine[];
  /** The byte of the spool behind them; absent: as it was. */
  spoolOffset?: number;
}

/** `stored`: how many lines the log has. Answers how many it has then. */
export async function appendLines(
  ctx: Context,
  task: LoggedTask,
  stored: number,
  { lines, spoolOffset }: NewLines,
): Promise<number> {
  const chunks = createLogChunks(stored, await findLastChunk(ctx.db, task.id));
  // No text of PostgreSQL can hold NUL.
  for (const line of lines)
    chunks.append({ ...line, output: line.output.replaceAll('\0', '\uFFFD') });
  const pending = chunks.take();
  if (!pending) return stored;
  const offset = spoolOffset === undefined ? {} : { spool_offset: spoolOffset };
  // Only behind what was read: somebody else may write to this log too.
  await writeChunks(ctx.db, task, pending.chunks, { log_lines: pending.total, stored, ...offset });
  const { id: taskId, project_id: projectId } = task;
  ctx.hub.publish('log', { projectId, taskId, from: pending.from, total: pending.total });
  return pending.total;
}

/** Adds what the server itself has to say of a task that no runner has in hand. */
export async function addWords(ctx: Context, task: LoggedTask, words: string[]): Promise<void> {
  const time = ctx.clock.now().toISOString();
  const stored = (await findProgress(ctx.db, task.id))?.lines ?? 0;
  const lines = words.map((output) => ({ time, output }));
  await appendLines(ctx, task, stored, { lines });
}
