// Stores chunks of a log, as a server does that appends lines.

import type { Db } from '../../src/server/db/open.ts';
import {
  type LogChunk,
  packChunks,
  writeChunks,
} from '../../src/server/automation/tasks/log/task-log.store.ts';

export async function storeChunks(
  db: Db,
  task: { id: number; lease: number },
  chunks: LogChunk[],
  progress: { log_lines: number; spool_offset: number },
): Promise<void> {
  await writeChunks(db, task, await packChunks(task.id, chunks), progress);
}
