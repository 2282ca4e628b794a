// The longest stall of the event loop of all servers that the benchmarks have started.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Row } from './rows.ts';

const probe = pathToFileURL(join(import.meta.dirname, 'stall-probe.js'));
const seen: number[] = [];

interface StallWatch {
  /** The settings of the server that is watched. */
  env: Record<string, string>;
  /** Begins; called when the server is ready, because nobody waits for it before. */
  begin: (pid: number) => void;
  /** Notes the longest stall; called when the server has ended. */
  note: () => Promise<void>;
}

/** Watches one server; `folder` is for a file. */
export function watchStalls(folder: string): StallWatch {
  const file = join(folder, 'longest-stall');
  const address = new URL(probe);
  address.searchParams.set('note', file);
  return {
    env: { NODE_OPTIONS: `--import=${address.href}` },
    begin: (pid) => void process.kill(pid, 'SIGUSR2'),
    note: async () => void seen.push(Number(await readFile(file, 'utf8'))),
  };
}

/** The row about all servers that have ended; none if there was no server. */
export const stallRows = (): Row[] =>
  seen.length === 0
    ? []
    : [
        {
          what: 'Longest stall of the event loop in all of the above',
          unit: 'ms',
          ours: [Math.max(...seen)],
          target: { atMost: 50 },
        },
      ];
