// Calls of git that cannot be bent: no prompts, no hooks, no foreign configuration,
// only the protocols we know, and `--` before everything a person typed.

import { fileURLToPath } from 'node:url';
import type { RunUser } from '../system/run-as.ts';
import { runTool, type ToolResult } from '../programs/process.ts';
import { isProgress } from './transfer.ts';

const anyOwner = fileURLToPath(new URL('any-owner.gitconfig', import.meta.url));

const safe = [
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'protocol.ext.allow=never',
  '-c',
  // Only the first request may be sent elsewhere; a password is asked for each host anew.
  'http.followRedirects=initial',
  '-c',
  'safe.directory=*',
  '-c',
  'advice.detachedHead=false',
  '-c',
  'gc.auto=0',
  '-c',
  'maintenance.auto=false',
];

/** Bytes: more than the names of all files and refs of the largest repositories. */
const mostOutput = 64 * 1024 * 1024;

/** A local repository belongs to another user than the one that a task runs as. */
export const ownersFor = (user: RunUser | null): Record<string, string> =>
  user ? { GIT_CONFIG_GLOBAL: anyOwner } : {};

/** What every git is told, also one that another program calls. */
export const gitEnvironment: Record<string, string> = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_ALLOW_PROTOCOL: 'ssh:https:http:git:file',
  LC_ALL: 'C.UTF-8',
};

export interface GitOptions {
  cwd: string;
  env: Record<string, string>;
  /** Who runs it. */
  user: RunUser | null;
  signal?: AbortSignal | undefined;
  /** Bytes that it may print. */
  outputLimit?: number;
  /** Hears what git prints on standard error while it runs. */
  onError?: ((text: string) => void) | undefined;
}

/** A call of git that failed, with what git said. */
export class GitError extends Error {}

export async function git(args: string[], options: GitOptions): Promise<string> {
  const result = await tryGit(args, options);
  if (result.exitCode === 0) return result.stdout;
  const lines = result.stderr.split(/[\r\n]+/).filter(isOwnWord);
  throw new GitError(
    result.failure ?? (lines.join('\n') || `git ended with ${result.exitCode ?? 'a signal'}`),
  );
}

/**
 * What the other server answers is not for whoever can only name addresses: behind one of them may
 * be something else than a git server.
 */
const isOwnWord = (line: string): boolean =>
  line.trim() !== '' && !line.startsWith('remote:') && !isProgress(line);

export function tryGit(
  args: string[],
  { cwd, env, user, signal, onError, outputLimit = mostOutput }: GitOptions,
): Promise<ToolResult> {
  const own = {
    ...gitEnvironment,
    GIT_CONFIG_GLOBAL: '/dev/null',
    ...ownersFor(user),
    // A commit is what its hash says, not what somebody put in its place.
    GIT_NO_REPLACE_OBJECTS: '1',
  };
  const all = { cwd, user, env: { ...own, ...env }, outputLimit };
  return runTool({ command: 'git', args: [...safe, ...args], ...all }, signal, onError);
}
