// Follows the file that a program prints into, from a byte on, line by line.

import { watch } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createLineSplitter } from './lines.ts';

// Bytes read at once; milliseconds.
const readSize = 256 * 1024;
const pause = 15;
/** Watching may miss a change, on network file systems for example. */
const backstop = 1000;

export interface Spool {
  path: string;
  /** Byte to begin with: the first one of a line. */
  from: number;
  /** Whether nothing more will be written. Asked before each read, so that none is missed. */
  isOver: () => Promise<boolean>;
  /** `offset`: the byte after the last of these lines. */
  onLines: (lines: string[], offset: number) => Promise<void>;
  /** Stops following; the rest stays for the next one. */
  signal: AbortSignal;
}

/** Settles when everything has been handed over, or when the signal fires. */
export async function followSpool(spool: Spool): Promise<void> {
  const { path, signal } = spool;
  const bell = watchFolder(dirname(path), signal);
  const file = await open(path, 'a+');
  try {
    const splitter = createLineSplitter();
    const buffer = Buffer.allocUnsafe(readSize);
    let position = spool.from;
    // Bytes of a line whose end has not come yet count only with their line.
    let pending = 0;
    while (!signal.aborted) {
      const isOver = await spool.isOver();
      const { bytesRead } = await file.read(buffer, 0, readSize, position);
      if (bytesRead > 0) {
        const bytes = Buffer.from(buffer.subarray(0, bytesRead));
        position += bytesRead;
        const lines = splitter.push(bytes);
        const lastEnd = bytes.lastIndexOf(0x0a);
        pending = lastEnd < 0 ? pending + bytesRead : bytesRead - lastEnd - 1;
        // A line that was cut because it never ends is handed over before its end.
        if (lines.length > 0) await spool.onLines(lines, position - pending);
      } else if (isOver) {
        const last = splitter.end();
        if (last.length > 0) await spool.onLines(last, position);
        return;
      } else {
        await bell.wait();
      }
    }
  } finally {
    bell.close();
    await file.close();
  }
}

/** Rings when something in the folder changes, at most once in a pause, or now and then. */
function watchFolder(folder: string, signal: AbortSignal) {
  let isRung = false;
  let wake: (() => void) | null = null;
  const ring = (): void => {
    isRung = true;
    wake?.();
  };
  const watcher = watch(folder, ring);
  watcher.on('error', () => undefined);
  signal.addEventListener('abort', ring, { once: true });
  return {
    async wait() {
      if (!isRung) {
        const late = setTimeout(ring, backstop);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        clearTimeout(late);
      }
      wake = null;
      isRung = false;
      if (!signal.aborted) await delay(pause);
    },
    close() {
      watcher.close();
    },
  };
}
