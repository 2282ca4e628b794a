// Follows the file that a program prints into, from a byte on, line by line.

import { watch } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Bell } from '../system/bell.ts';
import { createLineSplitter } from './lines.ts';
import { restAfter } from './pace.ts';

// Bytes read at once; milliseconds.
export const readSize = 128 * 1024;
const pause = 15;
/** Watching may miss a change, on network file systems for example. */
const backstop = 1000;

export interface Spool {
  path: string;
  /** Byte to begin with: the first one of a line. */
  from: number;
  /** Whether nothing more will be written. Asked before a read, so that nothing is missed. */
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
    const handOver = (lines: string[]): Promise<void> =>
      lines.length > 0 ? spool.onLines(lines, position - splitter.held()) : Promise.resolve();
    // To ask costs as much as to read, so whoever is behind asks only now and then.
    let isBehind = false;
    let asked = 0;
    const isLongAgo = (): boolean => performance.now() - asked > backstop;
    const ask = (): Promise<boolean> => {
      asked = performance.now();
      return spool.isOver();
    };
    while (!signal.aborted) {
      const isOver = (!isBehind || isLongAgo()) && (await ask());
      const { bytesRead } = await file.read(buffer, 0, readSize, position);
      if (bytesRead > 0) {
        const begun = performance.now();
        position += bytesRead;
        const handedOver = handOver(splitter.push(buffer.subarray(0, bytesRead)));
        const worked = performance.now() - begun;
        await handedOver;
        isBehind = bytesRead === readSize;
        if (isBehind) await restAfter(worked);
      } else if (isOver) {
        await handOver(splitter.end());
        return;
      } else if (isBehind) {
        isBehind = false;
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
  const bell = new Bell(signal);
  const watcher = watch(folder, bell.ring);
  watcher.on('error', () => undefined);
  return {
    async wait() {
      await bell.wait(backstop);
      if (!signal.aborted) await delay(pause);
    },
    close() {
      watcher.close();
    },
  };
}
