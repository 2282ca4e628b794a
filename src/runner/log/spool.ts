// Follows the file into which a program prints, line by line, from a given byte on.

import { readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { setImmediate as others } from 'node:timers/promises';
import { watchFiles } from '../../node/fs/watch-files.ts';
import { createLineSplitter } from './lines.ts';

/** How many bytes are read at once. V8 asks the system for the memory of each text that is twice as long. */
export const readSize = 64 * 1024;
/** All spools share it: its bytes are taken before anything else is done. */
const buffer = Buffer.allocUnsafe(readSize);
/** The file is read after this time anyway: a watcher may miss changes, as on network file systems. */
const MAX_WAIT_MS = 1000;
const MAX_PARTIAL_BYTES = 64 * 1024;

export interface Spool {
  path: string;
  /** The names of the files beside it one of which changes when nothing more will be written. */
  endFiles: string[];
  /** The byte to begin at, which is the first of a line. */
  from: number;
  /** Whether nothing more will be written. After that the file is read to its end. */
  isOver: () => Promise<boolean>;
  /** `offset` is the byte behind the last of these lines. */
  onLines: (lines: string[], offset: number) => Promise<void>;
  /** Gets the text of the last line while it has no end; null: it is too long. Called often. */
  onPartial: (text: () => string | null) => void;
  /** Stops following; the next follower reads the rest. */
  signal: AbortSignal;
}

/**
 * Settles when all lines have been handed over, or when the signal fires. False: the next follower has
 * to read the rest.
 */
export async function followSpool(spool: Spool): Promise<boolean> {
  const { path, endFiles, signal } = spool;
  const watched = watchFiles(dirname(path), [basename(path), ...endFiles], signal);
  const file = await open(path, 'a+');
  try {
    const splitter = createLineSplitter();
    let position = spool.from;
    // The offset leaves out the bytes of a line that has not ended yet.
    const handOver = (lines: string[]): Promise<void> =>
      lines.length > 0 ? spool.onLines(lines, position - splitter.held()) : Promise.resolve();
    let isOver = false;
    // Calling `isOver` takes longer than a read, so it is called less often while there is more to read.
    let asked = 0;
    const ask = async (): Promise<void> => {
      asked = performance.now();
      isOver ||= await spool.isOver();
    };
    while (!signal.aborted) {
      // What was just printed lies in memory, and awaiting it takes longer.
      const bytesRead = readSync(file.fd, buffer, 0, readSize, position);
      if (bytesRead > 0) {
        position += bytesRead;
        await handOver(splitter.push(buffer.subarray(0, bytesRead)));
        if (bytesRead === readSize) {
          await others();
          if (performance.now() - asked > MAX_WAIT_MS) await ask();
          continue;
        }
      } else if (isOver) {
        await handOver(splitter.end());
        return true;
      }
      await ask();
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
