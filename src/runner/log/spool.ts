// Follows the output file of a program, line by line, from a given byte on.

import { readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { setImmediate as others } from 'node:timers/promises';
import { watchFiles } from '../../node/fs/watch-files.ts';
import { createLineSplitter } from './lines.ts';

/** How many bytes are read at once. V8 allocates texts of twice this size outside of its heap. */
export const readSize = 64 * 1024;
/** Shared by all spools: its bytes are consumed synchronously. */
const buffer = Buffer.allocUnsafe(readSize);
/** The file is also polled, because a watcher may miss changes, as on network file systems. */
const MAX_WAIT_MS = 1000;
const MAX_PARTIAL_BYTES = 64 * 1024;

export interface Spool {
  path: string;
  /** The names of files beside it; one of them changes when the output is complete. */
  endFiles: string[];
  /** The first byte of a line. */
  from: number;
  /** Whether the output is complete. Then the file is read to its end. */
  isOver: () => Promise<boolean>;
  /** `offset`: the byte after these lines. */
  onLines: (lines: string[], offset: number) => Promise<void>;
  /** Receives the text of the unfinished last line; null: it is too long. Called often. */
  onPartial: (text: () => string | null) => void;
  /** Stops following; the next runner reads the rest. */
  signal: AbortSignal;
}

/** Settles when all lines were passed on, or when the signal fires; false: the next runner reads the rest. */
export async function followSpool(spool: Spool): Promise<boolean> {
  const { path, endFiles, signal } = spool;
  const watched = watchFiles(dirname(path), [basename(path), ...endFiles], signal);
  const file = await open(path, 'a+');
  try {
    const splitter = createLineSplitter();
    let position = spool.from;
    // The offset excludes the unfinished last line.
    const handOver = (lines: string[]): Promise<void> =>
      lines.length > 0 ? spool.onLines(lines, position - splitter.held()) : Promise.resolve();
    let isOver = false;
    // `isOver` is slower than a read, so it is called less often while there is more to read.
    let checkedAt = 0;
    const checkEnd = async (): Promise<void> => {
      checkedAt = performance.now();
      isOver ||= await spool.isOver();
    };
    while (!signal.aborted) {
      // The page cache has what was just printed, and an asynchronous read takes longer.
      const bytesRead = readSync(file.fd, buffer, 0, readSize, position);
      if (bytesRead > 0) {
        position += bytesRead;
        await handOver(splitter.push(buffer.subarray(0, bytesRead)));
        if (bytesRead === readSize) {
          await others();
          if (performance.now() - checkedAt > MAX_WAIT_MS) await checkEnd();
          continue;
        }
      } else if (isOver) {
        await handOver(splitter.end());
        return true;
      }
      await checkEnd();
      if (isOver) continue;
      if (splitter.held() > 0) spool.onPartial(() => splitter.partial(MAX_PARTIAL_BYTES));
      await watched.wait(MAX_WAIT_MS);
    }
    return false;
  } finally {
    watched.close();
    await file.close();
  }
}
