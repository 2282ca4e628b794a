// Provides a Python whose virtual environments are copies of one, because making one takes longer
// than everything else in a Python task. For tests whose subject is something else.

import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let made: string | undefined;

/** The path of its program. */
export const quickPython = (): string => (made ??= make());

function make(): string {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-python-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const program = join(folder, 'python');
  const script = `#!/bin/sh
if [ "$1 $2" = "-m venv" ]; then mkdir -p "$3" && exec cp -a '${original()}/.' "$3"; fi
exec python3 "$@"
`;
  writeFileSync(program, script, { mode: 0o755 });
  return program;
}

/** The environment that others are copies of. It stays for later runs of the tests. */
function original(): string {
  const version = execFileSync('python3', ['-VV']);
  const name = createHash('sha256').update(version).digest('hex').slice(0, 12);
  const path = join(import.meta.dirname, `../../node_modules/.quick-python-${name}`);
  if (existsSync(path)) return path;
  const own = `${path}.${process.pid}`;
  execFileSync('python3', ['-m', 'venv', own]);
  try {
    renameSync(own, path);
  } catch {
    // Another worker was faster.
    rmSync(own, { recursive: true, force: true });
  }
  return path;
}
