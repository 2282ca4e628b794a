// A Python whose virtual environments are copies of one: making it costs more than all else that
// a task of Python does. For tests that are not about how it is made.

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apps } from '#shared/api/apps.ts';
import type { TestApp } from './app.ts';

let made: string | undefined;

/** The tasks of Python run with it from now on. */
export async function useQuickPython({ admin }: TestApp): Promise<void> {
  made ??= make();
  await admin.call(apps.update, { params: { app_id: 'python' }, body: { path: made } });
}

function make(): string {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-python-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  // Tasks with users of their own read it too.
  chmodSync(folder, 0o755);
  const [program, original] = [join(folder, 'python'), join(folder, 'venv')];
  mkdirSync(original);
  execFileSync('python3', ['-m', 'venv', original]);
  const script = `#!/bin/sh
if [ "$1 $2" = "-m venv" ]; then mkdir -p "$3" && exec cp -a '${original}/.' "$3"; fi
exec python3 "$@"
`;
  writeFileSync(program, script, { mode: 0o755 });
  return program;
}
