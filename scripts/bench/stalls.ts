// The longest stall of the event loop of the servers that a benchmark has started.

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

/** The row about all servers that have ended since the last call; none if there was no server. */
export function takeStalls(): Row[] {
  const ours = seen.splice(0);
  if (ours.length === 0) return [];
  const what = 'The longest stall of the event loop meanwhile';
  return [{ what, unit: 'ms', ours: [Math.max(...ours)], target: { atMost: 50 } }];
}
