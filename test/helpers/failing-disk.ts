// A disk that fails for a SQLite database only, as the server sees it: a library that the server loads
// before libc. gcc compiles the library.

import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** What answers with an I/O error; `room`: writes find no room. */
export const accesses = ['read', 'write', 'sync', 'room'] as const;
export type Access = (typeof accesses)[number];

export interface FailingDisk {
  /** The setting of a server whose database lies on it. */
  env: Record<string, string>;
  /** Lets every access of one kind fail for so long, and somewhat longer if there was none. */
  fail: (access: Access, ms: number) => Promise<void>;
  /** How many accesses of each kind have failed until now. */
  failed: Map<Access, number>;
  remove: () => Promise<void>;
}

const longestWaitMs = 3000;

const source = join(import.meta.dirname, '../fixtures/failing-disk/failing-disk.c');

export async function failingDisk(): Promise<FailingDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-failing-disk-'));
  const library = join(folder, 'failing-disk.so');
  const define = `-DSWITCHES="${folder}"`;
  try {
    execFileSync('gcc', [
      '-shared',
      '-fPIC',
      '-O2',
      '-Wall',
      define,
      '-o',
      library,
      source,
      '-ldl',
    ]);
  } catch (cause) {
    throw new Error('A disk that fails needs gcc: install the packages gcc and libc6-dev.', {
      cause,
    });
  }
  const failed = new Map<Access, number>();
  return {
    failed,
    env: { LD_PRELOAD: library },
    async fail(access, ms) {
      const path = join(folder, access);
      await writeFile(path, '');
      const last = performance.now() + longestWaitMs;
      await delay(ms);
      while (performance.now() < last && (await stat(path)).size === 0) await delay(100);
      const { size } = await stat(path);
      await rm(path);
      failed.set(access, (failed.get(access) ?? 0) + size);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
