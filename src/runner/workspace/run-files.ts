// Writes files into folders where the programs of a run may write too: as their user, so that no link of a program can
// lead the runner to other files.

import { cp, lstat, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { RunUser } from '../../node/process/run-users.ts';
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

export interface Content {
  folders: string[];
  /** The texts by path. All but the last are short. */
  files: Record<string, string>;
}

/** Creates folders, then files. For another user this takes only one process. */
export async function writeAll({ folders, files }: Content, user: User): Promise<void> {
  const all = Object.entries(files);
  if (!user) {
    for (const folder of folders) await makeFolder(folder, null);
    await Promise.all(all.map(([path, text]) => writeInto(path, text, null)));
    return;
  }
  const [path = '', text = ''] = all.pop() ?? [];
  const args = [String(folders.length), ...folders, ...all.flat(), path];
  await asUser(user, writeScript, args, text);
}

// The number of folders, the folders, each short file with its text, and the path of the last file, whose text is on
// standard input, because arguments are limited.
const writeScript = `
left=$1
shift
while [ "$left" -gt 0 ]; do mkdir -p -- "$1"; left=$((left - 1)); shift; done
while [ "$#" -gt 1 ]; do printf %s "$2" >"$1"; shift 2; done
cat >"$1"`;

/** Creates a symbolic link, unless the path exists. */
export async function link(target: string, path: string, user: User): Promise<void> {
  if (user) await asUser(user, '[ -L "$2" ] || ln -s -- "$1" "$2" || true', [target, path]);
  else await symlink(target, path).catch(() => undefined);
}

/** Whether the path exists; links are not followed. */
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

const MAX_COPIED_BYTES = 256 * 1024 * 1024;

/** Copies a text to where only the runner can read it. It is read as the user, who may have put a link there. */
export async function copyOut(from: string, to: string, user: User): Promise<void> {
  const { exitCode, stdout, stderr, failure } = await runTool({
    command: 'cat',
    args: ['--', from],
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' },
    user,
    outputLimit: MAX_COPIED_BYTES,
  });
  if (exitCode !== 0) throw new Error(`${from} could not be copied: ${failure ?? stderr.trim()}`);
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await writeFile(to, stdout, { mode: 0o600 });
}

async function asUser(user: RunUser, script: string, args: string[], input = ''): Promise<void> {
  const { exitCode, stderr, failure } = await runTool({
    command: '/bin/sh',
    args: ['-e', '-c', script, 'sh', ...args],
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' },
    input,
    user,
  });
  if (exitCode === 0) return;
  const shown = dirname(args.at(-1) ?? '');
  throw new Error(`Files could not be laid out in ${shown}: ${failure ?? stderr.trim()}`);
}
