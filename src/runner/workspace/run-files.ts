// Writes files in folders where the programs of a run may write too. If these run as another user, the
// files are written as that user, so that no link of a program can lead the runner to other files.

import { cp, lstat, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { RunUser } from '../system/run-as.ts';
import { runTool } from '../programs/process.ts';

type User = RunUser | null;

export async function makeFolder(path: string, user: User): Promise<void> {
  if (user) await asUser(user, 'mkdir -p -- "$1"', [path]);
  else await mkdir(path, { recursive: true });
}

export async function writeInto(path: string, text: string, user: User): Promise<void> {
  if (user) await asUser(user, 'cat > "$1"', [path], text);
  else await writeFile(path, text);
}

/** Makes a symbolic link, unless the path exists already. */
export async function link(target: string, path: string, user: User): Promise<void> {
  if (user) await asUser(user, '[ -L "$2" ] || ln -s -- "$1" "$2" || true', [target, path]);
  else await symlink(target, path).catch(() => undefined);
}

/** Whether the path exists; no link is followed. */
export const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** Copies a folder; links are copied as links. */
export async function copyFolder(from: string, to: string, user: User): Promise<void> {
  if (!user) return cp(from, to, { recursive: true, verbatimSymlinks: true });
  await asUser(user, 'cp -R -P -- "$1/." "$2"', [from, to]);
}

async function asUser(user: RunUser, script: string, args: string[], input = ''): Promise<void> {
  const { exitCode, stderr, failure } = await runTool({
    command: '/bin/sh',
    args: ['-c', script, 'sh', ...args],
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' },
    input,
    user,
  });
  if (exitCode === 0) return;
  const shown = dirname(args.at(-1) ?? '');
  throw new Error(`Files could not be laid out in ${shown}: ${failure ?? stderr.trim()}`);
}
