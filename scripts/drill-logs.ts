// The exit code of a drill, and what its servers printed.

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Fails the drill if a count is not 0, and then writes the servers' output into a folder. */
export function failIfAny(counts: number[], printed: Map<string, string>): void {
  if (!counts.some((count) => count > 0)) return;
  process.exitCode = 1;
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-drill-logs-'));
  for (const [name, text] of printed) writeFileSync(join(folder, name), text);
  console.log(`What the servers printed: ${folder}`);
}
