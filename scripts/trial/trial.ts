// Tries what people install, on this machine: says what is missing, or runs in a folder of its own.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reasonAgainst } from './programs.ts';

interface Trial {
  /** What is tried: "image". */
  what: string;
  /** The packages of Debian with the programs that it needs. */
  packageOf: Record<string, string>;
  /** Throws if something is not as it should be. Its folder is removed afterwards. */
  check: (place: string) => Promise<void>;
}

export async function trial({ what, packageOf, check }: Trial): Promise<void> {
  const reason = reasonAgainst(packageOf);
  if (reason !== '') {
    console.error(`The ${what} cannot be tested here. ${reason}`);
    process.exitCode = 1;
    return;
  }
  const place = mkdtempSync(join(tmpdir(), `signalbox-test-${what}-`));
  try {
    await check(place);
    console.log(`${what}: all is as it should be`);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
