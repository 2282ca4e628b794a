// Holds a program of a task until the test has seen what it waits for. A pause would be too short
// on a busy machine.

import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Gate {
  /** A shell command that fails until the gate is open. */
  isOpen: string;
  /** A shell command that ends when the gate is open. */
  wait: string;
  open: () => Promise<void>;
}

export async function makeGate(): Promise<Gate> {
  const file = join(await mkdtemp(join(tmpdir(), 'signalbox-gate-')), 'open');
  const isOpen = `[ -e '${file}' ]`;
  return {
    isOpen,
    wait: `until ${isOpen}; do sleep 0.05; done`,
    open: () => writeFile(file, ''),
  };
}
