// Parses untrusted files and texts with a separate program, which is limited in memory and time.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunUser } from '../../node/process/run-users.ts';
import { runTool } from '../programs/process.ts';
import { resolveInside, type ResolvedPath } from './inside.ts';
import type { SandboxResults, FilePlace, SandboxCommand, ReadFile } from './commands.ts';
import { unknownState, type NotedBackend, type StateContent } from './terraform-files.ts';

const program = fileURLToPath(new URL('program.ts', import.meta.url));

const MAX_CPU_SECONDS = 10;
/** Far more than any file needs that was written by a person. */
const mostMemoryMib: Record<SandboxCommand['about'], number> = {
  files: 64,
  backend: 64,
  states: 1024,
  inventory: 256,
  plan: 1024,
  key: 64,
};
/** Elapsed time, in case the machine is busy. */
const MAX_TIME_MS = 60_000;
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

// `ulimit -c 0`: no core dump when the process is killed for its memory.
const limits = `ulimit -c 0; ulimit -t ${MAX_CPU_SECONDS}; exec "$@"`;

/** Runs a command; null: it exceeded its memory or time, or its result was too long. */
async function runInSandbox<About extends SandboxCommand['about']>(
  request: Extract<SandboxCommand, { about: About }>,
  signal?: AbortSignal,
): Promise<SandboxResults[About] | null> {
  const time = AbortSignal.timeout(MAX_TIME_MS);
  const node = [process.execPath, `--max-old-space-size=${mostMemoryMib[request.about]}`, program];
  const command = {
    command: '/bin/sh',
    args: ['-c', limits, 'sh', ...node],
    cwd: '/',
    env: {},
    input: JSON.stringify(request),
    outputLimit: MAX_ANSWER_BYTES,
  };
  const { exitCode, stdout } = await runTool(
    command,
    AbortSignal.any(signal ? [signal, time] : [time]),
  );
  signal?.throwIfAborted();
  return exitCode === 0 ? (JSON.parse(stdout) as SandboxResults[About]) : null;
}

export interface CheckoutAccess {
  /** The user that reads files; null: the user of the runner. */
  user: RunUser | null;
  signal: AbortSignal;
  /** Called with a line for each file that is refused. */
  say: (lines: string[]) => Promise<void>;
}

export interface WantedFile extends FilePlace {
  as: 'text' | 'requirements';
}

/** Reads the files in their order; null: the file does not exist or was refused. */
export async function readFiles(
  wanted: WantedFile[],
  { user, signal, say }: CheckoutAccess,
): Promise<(ReadFile | null)[]> {
  const some = wanted.filter(mayExist);
  if (some.length === 0) return wanted.map(() => null);
  const files = await runInSandbox({ about: 'files', user: idsOf(user), files: some }, signal);
  const found = new Map<WantedFile, ReadFile>();
  for (const [index, file] of some.entries()) {
    const answer = files === null ? { refused: tooMuch } : (files[index] ?? null);
    if (answer && 'refused' in answer) await say([refusal(file.path, answer.refused)]);
    else if (answer) found.set(file, answer);
  }
  return wanted.map((file) => found.get(file) ?? null);
}

/** A file by its path in the first root that contains it. Its user may only pass through the folders above a root. */
export function placeOf(roots: string[], path: string): FilePlace {
  const root = roots.find((one) => path.startsWith(`${one}/`)) ?? '/';
  return { root, path: path.slice(root === '/' ? 0 : root.length + 1) };
}

/** The backend that `init` of Terraform has recorded in a file; null: none. */
export async function readNotedBackend(
  file: FilePlace,
  { user, signal }: Pick<CheckoutAccess, 'user' | 'signal'>,
): Promise<NotedBackend | null> {
  const answer = await runInSandbox({ about: 'backend', user: idsOf(user), file }, signal);
  if (answer && 'backend' in answer) return answer.backend;
  const why = answer ? answer.refused : tooMuch;
  throw new Error(`Where the state is kept cannot be found out: ${refusal(file.path, why)}`);
}

/** The contents of state files, in their order. */
export async function readStates(
  files: FilePlace[],
  user: RunUser | null,
): Promise<StateContent[]> {
  if (files.length === 0) return [];
  const answer = await runInSandbox({ about: 'states', user: idsOf(user), files });
  return answer ?? files.map(() => unknownState);
}

/** Parses the output of `ansible-inventory`; null: it is too large. */
export const readInventory = (
  text: string,
  signal: AbortSignal,
): Promise<SandboxResults['inventory'] | null> =>
  runInSandbox({ about: 'inventory', user: null, text }, signal);

/** Parses the output of `terraform show -json`; null: it is in no known format, or too large. */
export const readPlan = (text: string, signal: AbortSignal): Promise<SandboxResults['plan']> =>
  runInSandbox({ about: 'plan', user: null, text }, signal);

/** Whether OpenSSL can read a private key with this passphrase; null: it takes too much memory or time. */
export const canOpenSslRead = (
  text: string,
  passphrase: string,
  signal: AbortSignal,
): Promise<SandboxResults['key'] | null> =>
  runInSandbox({ about: 'key', user: null, text, passphrase }, signal);

const tooMuch = 'it takes too much memory or time to read';
const refusal = (path: string, why: string): string => `${path} is not read: ${why}.`;

const idsOf = (user: RunUser | null) => user && { uid: user.uid, gid: user.gid };

/** Avoids starting a program for files that do not exist. Outside of a checkout only the run's user may check that. */
const mayExist = ({ root, path }: FilePlace): boolean => root === '/' || !isAbsent(root, path);

export const isAbsent = (root: string, path: string): boolean =>
  resolveInside(root, path) === 'absent';

/** The real path of a file of a checkout; a link must not lead out of it. */
export const insideOnly = (folder: string, path: string, what: string): string =>
  join(folder, ...resolveOrThrow(folder, path, what).parts);

/** The path of a folder relative to the checkout, without links; empty for the top. */
export function folderInside(root: string, path: string, what: string): string {
  const { parts, stat } = resolveOrThrow(root, path, what);
  if (!stat.isDirectory()) throw new Error(`The ${what} "${path}" is not a folder.`);
  return parts.join('/');
}

function resolveOrThrow(root: string, path: string, what: string): Exclude<ResolvedPath, string> {
  const resolved = resolveInside(root, path);
  if (resolved === 'absent') throw new Error(`The ${what} "${path}" is not in the repository.`);
  if (resolved === 'outside') throw new Error(`The ${what} "${path}" lies outside the repository.`);
  return resolved;
}
