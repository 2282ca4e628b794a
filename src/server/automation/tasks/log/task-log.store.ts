// Stores the log of a task as compressed chunks of lines. In a chunk each line begins with the
// milliseconds since the chunk's first line (base 36) and a tab.

import type { LogLine } from '#shared/api/task-log.ts';
import { lastState } from '#shared/terminal.ts';
import type { Db } from '../../../db/open.ts';
import type { NewRow, Row } from '../../../db/tables.ts';
import { pack, unpack } from '../../../db/packed-text.ts';
import { noteOf, type LeasedTask } from '../rows/tasks.store.ts';

export interface LogChunk {
  firstLine: number;
  lines: LogLine[];
  /** The size of the text in bytes. */
  bytes: number;
}

/** The unpacked size of a chunk in bytes, with the times before its lines. */
const unpackedSize = ({ bytes, lines }: Pick<Row<'task_log_chunks'>, 'bytes' | 'lines'>): number =>
  bytes + lines * 8 + 1024;

function encode(lines: LogLine[], base: number): string {
  // Most lines have the time of the line before.
  let time = '';
  let shift = '';
  const entries = lines.map((line) => {
    if (line.time !== time) {
      time = line.time;
      shift = `${(Date.parse(time) - base).toString(36)}\t`;
    }
    return shift + line.output;
  });
  return entries.join('\n');
}

function decode(text: string, base: number): LogLine[] {
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
  /** The number of lines of the whole log. */
  log_lines: number;
  /** The byte of the spool behind the last line; absent: it does not change. */
  spool_offset?: number;
}

type ChunkRow = NewRow<'task_log_chunks'>;

export async function packChunks(taskId: number, chunks: LogChunk[]): Promise<ChunkRow[]> {
  const rows: ChunkRow[] = [];
  // One after the other, so that other work runs between them.
  for (const { firstLine, lines, bytes } of chunks) {
    const time = lines[0]?.time ?? '';
    const data = await pack(encode(lines, Date.parse(time)));
    rows.push({ task_id: taskId, first_line: firstLine, lines: lines.length, bytes, time, data });
  }
  return rows;
}

/**
 * Writes whole chunks, in a transaction; the last one may be written again when it has grown. `stored` is
 * the number of lines that the log must have, if other writers may append to it too.
 */
export async function writeChunks(
  db: Db,
  task: Required<LeasedTask>,
  rows: ChunkRow[],
  { stored, ...progress }: LogProgress & { stored?: number },
): Promise<void> {
  // Done first: it locks the task until the end of the transaction, and refuses an older lease.
  await noteOf(db, task, progress, stored === undefined ? {} : { log_lines: stored });
  if (rows.length === 0) return;
  await db
    .insertInto('task_log_chunks')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['task_id', 'first_line']).doUpdateSet(({ ref }) => ({
        lines: ref('excluded.lines'),
        bytes: ref('excluded.bytes'),
        data: ref('excluded.data'),
      })),
    )
    .execute();
}

/** The chunk with the newest lines, to which more may be added; null: there is none. */
export async function findLastChunk(db: Db, taskId: number): Promise<LogChunk | null> {
  const row = await db
    .selectFrom('task_log_chunks')
    .select(['first_line', 'lines', 'bytes', 'time', 'data'])
    .where('task_id', '=', taskId)
    .orderBy('first_line', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row) return null;
  const text = await unpack(row.data, unpackedSize(row));
  const lines = decode(text, Date.parse(row.time));
  return { firstLine: row.first_line, lines, bytes: row.bytes };
}

export interface LogRange {
  from: number;
  limit: number;
  /** The maximum of characters of a line; `cut` of a longer one is the number of missing characters. */
  width?: number | undefined;
  /** The maximum of characters of all lines, unless the first line alone is longer. */
  size?: number;
}

const usualSize = 4 * 1024 * 1024;

/**
 * Reads at most `limit` lines; fewer when they are long, but at least one if there is one. `newest` are
 * the lines from the first requested one on, if they are cached.
 */
export async function readLines(
  db: Db,
  taskId: number,
  { from, limit, width = Infinity, size: most = usualSize }: LogRange,
  newest: LogLine[] | null = null,
): Promise<LogLine[]> {
  const lines: LogLine[] = [];
  let size = 0;
  const known = newest && [{ lines: () => newest }];
  for await (const chunk of known ?? chunksFrom(db, taskId, from)) {
    for (const line of chunk.lines()) {
      const cut = cutLine(line, width);
      size += cut.output.length;
      if (lines.length === limit || (size > most && lines.length > 0)) return lines;
      lines.push(cut);
    }
    if (lines.length === limit || size > most) return lines;
  }
  return lines;
}

/** Cuts a long line; a progress bar is reduced to its last state. */
function cutLine(line: LogLine, width: number): LogLine {
  if (line.output.length <= width) return line;
  const shown = lastState(line.output);
  if (shown.length <= width) return { ...line, output: shown };
  return { ...line, output: shown.slice(0, width), cut: shown.length - width };
}

const chunksAtOnce = 8;

export interface StoredChunk {
  /** The number of its first line, and how many lines it has. */
  from: number;
  count: number;
  /** All its lines, each after its time, also those before the first requested line. */
  text: string;
  lines: () => LogLine[];
}

/** Yields the stored lines from line `from` on, one chunk at a time. */
export async function* chunksFrom(
  db: Db,
  taskId: number,
  from: number,
): AsyncGenerator<StoredChunk> {
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
      const end = row.first_line + row.lines;
      if (end <= next) continue;
      const text = await unpack(row.data, unpackedSize(row));
      const skipped = next - row.first_line;
      const lines = () => decode(text, Date.parse(row.time)).slice(skipped);
      yield { from: next, count: end - next, text, lines };
      next = end;
    }
    if (rows.length < chunksAtOnce) return;
  }
}
