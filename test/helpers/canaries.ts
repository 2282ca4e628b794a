// Searches for canaries in every place where somebody could read them.

import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Canaries by the name of the secret. */
export type Canaries = Record<string, string>;

/** Bytes, and the place that they were read from. */
export interface SearchedBytes {
  name: string;
  bytes: Buffer;
}

/** A unique secret that each encoding changes. */
export const newCanary = (): string => `canary+${randomBytes(9).toString('hex')}/&="(1)`;

export const place = (name: string, content: unknown): SearchedBytes => ({
  name,
  bytes: Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)),
});

function formsOf(secret: string): Record<string, string> {
  return {
    'as it is': secret,
    'as base64': Buffer.from(secret).toString('base64').replace(/=+$/, ''),
    'URL-encoded': encodeURIComponent(secret),
    'as part of an URL': encodeURIComponent(secret).replaceAll('%2F', '/'),
    'JSON-escaped': JSON.stringify(secret).slice(1, -1),
  };
}

/** A sentence for each canary that was found in a place. */
export function findCanaries(canaries: Canaries, places: SearchedBytes[]): string[] {
  return Object.entries(canaries).flatMap(([kind, secret]) =>
    Object.entries(formsOf(secret)).flatMap(([form, text]) =>
      places
        .filter(({ bytes }) => bytes.includes(text))
        .map(({ name }) => `${kind} ${form} in ${name}`),
    ),
  );
}

// The id of the user nobody on most systems.
const anotherUser = 65_534;

const readAll = String.raw`
for file in /proc/[0-9]*/cmdline /proc/[0-9]*/environ; do echo "== $file"; cat "$file"; done
since=$1
shift
find "$@" -newermt "@$since"
find "$@" -newermt "@$since" -type f -size -20000k -readable -exec cat {} +
`;

/** Arguments and environments of all processes, and files of these folders, as another user sees them. */
export function readAsAnother(folders: string[], since: number): SearchedBytes {
  const user = [`--reuid=${anotherUser}`, `--regid=${anotherUser}`, '--clear-groups'];
  const script = ['sh', '-c', readAll, 'sh', String(Math.floor(since / 1000)), ...folders];
  const command = ['setpriv', ...user, ...script];
  const [program = '', ...args] = process.getuid?.() === 0 ? command : ['sudo', '-n', ...command];
  // The program fails when it may not read a file; only what it could read matters.
  const { stdout } = spawnSync(program, args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 2 ** 30,
  });
  if (stdout.includes('== /proc/1/cmdline')) return { name: 'what others can read', bytes: stdout };
  throw new Error('This test has to become another user: run it as root, or allow sudo for it.');
}

/** Arguments and environments of all processes but one, from /proc. */
export async function readProcesses(
  file: 'cmdline' | 'environ',
  except: number | null = null,
): Promise<SearchedBytes[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return readFiles(
    pids.filter((pid) => Number(pid) !== except).map((pid) => join('/proc', pid, file)),
  );
}

/** The files of a folder that have changed since. */
export async function readFolder(folder: string, since: number): Promise<SearchedBytes[]> {
  // `withFileTypes`, because without it Node follows links to folders, into the whole machine.
  const how = { recursive: true, withFileTypes: true } as const;
  const entries = await readdir(folder, how).catch(() => []);
  const names = entries.map(({ parentPath, name }) => join(parentPath, name));
  const paths: string[] = [];
  for (const path of names) {
    const stat = await lstat(path).catch(() => null);
    if (stat?.isFile() && stat.mtimeMs >= since && stat.size < 20_000_000) paths.push(path);
  }
  return [place(`the names in ${folder}`, names.join('\n')), ...(await readFiles(paths))];
}

async function readFiles(paths: string[]): Promise<SearchedBytes[]> {
  const places = await Promise.all(
    paths.map(async (path) => {
      const bytes = await readFile(path).catch(() => null);
      return bytes ? [{ name: path, bytes }] : [];
    }),
  );
  return places.flat();
}
