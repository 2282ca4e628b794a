// The longest stall of the event loop of the servers that a benchmark has started.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Row } from './rows.ts';

const probe = pathToFileURL(join(import.meta.dirname, 'stall-probe.js'));
const seen: { ours: number; theirs: number }[] = [];

interface StallWatch {
  /** The settings of the server that is watched. */
  env: Record<string, string>;
  /** Begins; called when the server is ready, because nobody waits for it before. */
  begin: (pid: number) => void;
  /** Notes the longest stall; called when the server has ended. */
  note: () => Promise<void>;
}

/** Watches one server, and an idle process beside it; `folder` is for files. */
export function watchStalls(folder: string): StallWatch {
  const ours = join(folder, 'longest-stall');
  const theirs = join(folder, 'longest-stall-of-idle');
  let idle: ChildProcess | null = null;
  return {
    env: { NODE_OPTIONS: `--import=${probeInto(ours)}` },
    begin(pid) {
      process.kill(pid, 'SIGUSR2');
      const begun = `--import=${probeInto(theirs, 'now')}`;
      idle = spawn(process.execPath, [begun, '--eval', untilTold], { stdio: 'ignore' });
    },
    async note() {
      const ended = idle && once(idle, 'exit');
      idle?.kill('SIGTERM');
      await ended;
      seen.push({ ours: await read(ours), theirs: await read(theirs) });
    },
  };
}

const untilTold = "process.on('SIGTERM', () => process.exit()); setInterval(() => {}, 60_000);";

function probeInto(note: string, begin = ''): string {
  const address = new URL(probe);
  address.search = new URLSearchParams({ note, begin }).toString();
  return address.href;
}

const read = async (file: string): Promise<number> => Number(await readFile(file, 'utf8'));

/** The row about all servers that have ended since the last call; none if there was no server. */
export function takeStalls(): Row[] {
  const all = seen.splice(0);
  if (all.length === 0) return [];
  const longest = (of: 'ours' | 'theirs'): number[] => [Math.max(...all.map((one) => one[of]))];
  const what = 'The longest stall of the event loop meanwhile';
  const baseline = { name: 'a process that does nothing', values: longest('theirs') };
  return [{ what, unit: 'ms', ours: longest('ours'), baseline, target: { atMost: 50 } }];
}
