// Stores the results of a run in compressed chunks, so that a run of many hosts has few rows.

import type { RunResult } from '#shared/api/run-results.ts';
import type { Db } from '../../../db/open.ts';
import { findValue } from '../../../db/rows.ts';
import type { NewRow, Row } from '../../../db/tables.ts';
import { pack, unpack } from '../../../db/packed-text.ts';
import { LeaseLost, noteOf, type LeasedTask } from '../rows/tasks.store.ts';
import { fromLine, toLine, type ResultFilter } from './result-lines.ts';

/** A chunk with this much text is closed. */
const chunkBytes = 64 * 1024;
const chunksAtOnce = 8;

type ChunkRow = Row<'task_result_chunks'>;
type Chunk = Omit<ChunkRow, 'task_id' | 'results' | 'data'> & { lines: string[] };

/** Appends results, and skips those that are stored already. False: a gap before the first one. */
export async function appendResults(
  db: Db,
  task: Required<LeasedTask>,
  from: number,
  results: RunResult[],
): Promise<boolean> {
  const stored = await countResults(db, task.id);
  const known = stored - (from - 1);
  if (known < 0) return false;
  const more = results.slice(known);
  if (more.length === 0) return true;
  try {
    await store(db, task, stored, more);
    return true;
  } catch (error) {
    if (!(error instanceof LeaseLost) || (await countResults(db, task.id)) === stored) throw error;
    // A concurrent duplicate of this request has stored its results.
    return appendResults(db, task, from, results);
  }
}

async function store(
  db: Db,
  task: Required<LeasedTask>,
  stored: number,
  more: RunResult[],
): Promise<void> {
  const chunks = fill(await findOpenChunk(db, task.id), stored, more);
  const rows: NewRow<'task_result_chunks'>[] = [];
  for (const { lines, ...rest } of chunks) {
    const data = await pack(lines.join('\n'));
    rows.push({ ...rest, task_id: task.id, results: lines.length, data });
  }
  await db.transaction().execute(async (trx) => {
    // Done first: it locks the task until the end of the transaction, and refuses an older lease.
    await noteOf(trx, task, { results: stored + more.length }, { results: stored });
    await trx
      .insertInto('task_result_chunks')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['task_id', 'first_result']).doUpdateSet(({ ref }) => ({
          results: ref('excluded.results'),
          first_section: ref('excluded.first_section'),
          last_section: ref('excluded.last_section'),
          bytes: ref('excluded.bytes'),
          data: ref('excluded.data'),
        })),
      )
      .execute();
  });
}

async function countResults(db: Db, taskId: number): Promise<number> {
  return (await findValue(db, 'tasks', 'results', { id: taskId })) ?? 0;
}

/** The newest chunk, if more results may be added to it. */
async function findOpenChunk(db: Db, taskId: number): Promise<Chunk | null> {
  const row = await db
    .selectFrom('task_result_chunks')
    .selectAll()
    .where('task_id', '=', taskId)
    .orderBy('first_result', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row || row.bytes >= chunkBytes) return null;
  const { task_id: _task, results: _results, data: _data, ...chunk } = row;
  return { ...chunk, lines: await linesOf(row) };
}

function fill(open: Chunk | null, stored: number, results: RunResult[]): Chunk[] {
  const chunks = open ? [open] : [];
  for (const [index, result] of results.entries()) {
    const line = toLine(result);
    const bytes = Buffer.byteLength(line) + 1;
    let chunk = chunks.at(-1);
    if (!chunk || chunk.bytes + bytes > chunkBytes) {
      const { section } = result;
      const sections = { first_section: section, last_section: section };
      chunk = { first_result: stored + index + 1, lines: [], ...sections, bytes: 0 };
      chunks.push(chunk);
    }
    chunk.lines.push(line);
    chunk.bytes += bytes;
    chunk.first_section = Math.min(chunk.first_section, result.section);
    chunk.last_section = Math.max(chunk.last_section, result.section);
  }
  return chunks;
}

const linesOf = async ({ data, bytes }: ChunkRow): Promise<string[]> =>
  (await unpack(data, bytes + 1024)).split('\n');

export interface ResultRange extends ResultFilter {
  /** The number of the first result; results count from 1. */
  from: number;
  limit: number;
}

/** Reads results that match the filter, in the order of their arrival. */
export async function readResults(
  db: Db,
  taskId: number,
  { limit, ...range }: ResultRange,
): Promise<{ results: RunResult[]; next: number | null }> {
  const results: RunResult[] = [];
  for await (const result of resultsFrom(db, taskId, range)) {
    if (results.length === limit) return { results, next: result.id };
    results.push(result);
  }
  return { results, next: null };
}

/** Yields results that match the filter, in the order of their arrival, with one chunk in memory. */
export async function* resultsFrom(
  db: Db,
  taskId: number,
  { from, ...filter }: Omit<ResultRange, 'limit'>,
): AsyncGenerator<RunResult> {
  for await (const { first, lines } of chunksFrom(db, taskId, from, filter.sections)) {
    for (const [index, line] of lines.entries()) {
      const id = first + index;
      const result = id < from ? null : fromLine(line, id, filter);
      if (result) yield result;
    }
  }
}

async function* chunksFrom(
  db: Db,
  taskId: number,
  from: number,
  sections: ReadonlySet<number> | undefined,
): AsyncGenerator<{ first: number; lines: string[] }> {
  for (let after = 0; ;) {
    let query = db
      .selectFrom('task_result_chunks')
      .selectAll()
      .where('task_id', '=', taskId)
      .where('first_result', '>', after)
      .where((eb) => eb(eb('first_result', '+', eb.ref('results')), '>', from));
    if (sections) {
      query = query
        .where('first_section', '<=', Math.max(...sections))
        .where('last_section', '>=', Math.min(...sections));
    }
    const rows = await query.orderBy('first_result').limit(chunksAtOnce).execute();
    for (const row of rows) {
      yield { first: row.first_result, lines: await linesOf(row) };
      after = row.first_result;
    }
    if (rows.length < chunksAtOnce) return;
  }
}
