// The log of a task: compressed chunks of lines. In a chunk each line stands behind the
// milliseconds since the chunk's first line (base 36) and a tab.

import { promisify } from 'node:util';
import { zstdCompressSync, zstdDecompress } from 'node:zlib';
import type { LogLine } from '#shared/api/tasks.ts';
import type { Db } from '../db/open.ts';

export interface LogChunk {
  firstLine: number;
  lines: LogLine[];
  /** Bytes of text. */
  bytes: number;
}

// node:zlib's default level is 3.
const decompress = promisify(zstdDecompress);

function encode(lines: LogLine[], base: number): Buffer {
  const text = lines
    .map(({ time, output }) => `${(Date.parse(time) - base).toString(36)}\t${output}`)
    .join('\n');
  return zstdCompressSync(text);
}

function decode(text: string, base: number): LogLine[] {
  // Most lines have the time of the line before.
  let shift = '';
  let time = '';
  return text.split('\n').map((entry) => {
    const tab = entry.indexOf('\t');
    if (time === '' || tab !== shift.length || !entry.startsWith(shift)) {
      shift = entry.slice(0, tab);
      time = new Date(base + Number.parseInt(shift, 36)).toISOString();
    }
    return { time, output: entry.slice(tab + 1) };
  });
}

export interface LogProgress {
  /** Lines of the whole log. */
  log_lines: number;
  /** The byte of the spool behind the last of them. */
  spool_offset: number;
}

/** Writes chunks, each one whole; the last one may be written again when it has grown. */
export async function writeChunks(
  db: Db,
  taskId: number,
  chunks: LogChunk[],
  progress: LogProgress,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    for (const { firstLine, lines, bytes } of chunks) {
      const time = lines[0]?.time ?? '';
      const values = { lines: lines.length, bytes, data: encode(lines, Date.parse(time)) };
      await trx
        .insertInto('task_log_chunks')
        .values({ ...values, task_id: taskId, first_line: firstLine, time })
        .onConflict((conflict) => conflict.columns(['task_id', 'first_line']).doUpdateSet(values))
        .execute();
    }
    await trx.updateTable('tasks').set(progress).where('id', '=', taskId).execute();
  });
}

/** Reads at most `limit` lines from line `from` on; fewer when they are long. */
export async function readLines(
  db: Db,
  taskId: number,
  from: number,
  limit: number,
): Promise<LogLine[]> {
  const lines: LogLine[] = [];
  for await (const chunk of chunksFrom(db, taskId, from)) {
    lines.push(...chunk.slice(0, limit - lines.length));
    if (lines.length >= limit) break;
  }
  return lines;
}

/** The whole log, chunk by chunk, so that no more than a few are in memory. */
export async function* allLines(db: Db, taskId: number): AsyncGenerator<LogLine> {
  for await (const chunk of chunksFrom(db, taskId, 1)) yield* chunk;
}

const chunksAtOnce = 8;

/** The stored lines from line `from` on, a chunk at a time. */
export async function* chunksFrom(db: Db, taskId: number, from: number): AsyncGenerator<LogLine[]> {
  let next = from;
  for (;;) {
    const rows = await db
      .selectFrom('task_log_chunks')
      .selectAll()
      .where('task_id', '=', taskId)
      .where('first_line', '>=', (eb) =>
        eb
          .selectFrom('task_log_chunks')
          .select(({ fn }) => fn.coalesce(fn.max('first_line'), eb.val(0)).as('first_line'))
          .where('task_id', '=', taskId)
          .where('first_line', '<=', next),
      )
      .orderBy('first_line')
      .limit(chunksAtOnce)
      .execute();
    for (const row of rows) {
      if (row.first_line + row.lines <= next) continue;
      const text = (await decompress(row.data)).toString('utf8');
      const lines = decode(text, Date.parse(row.time));
      yield lines.slice(next - row.first_line);
      next = row.first_line + lines.length;
    }
    if (rows.length < chunksAtOnce) return;
  }
}
