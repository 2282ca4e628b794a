// Calls git so that repositories and people cannot change what it does: no prompts, no hooks, no
// configuration of others, only known protocols, and `--` before everything that a person typed.

import { fileURLToPath } from 'node:url';
import type { RunUser } from '../../node/process/run-users.ts';
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
  // Only the first request may be redirected. Git asks for a password for each host again.
  'http.followRedirects=initial',
  '-c',
  'safe.directory=*',
  '-c',
  'advice.detachedHead=false',
  '-c',
  'core.attributesFile=/dev/null',
  '-c',
  'gc.auto=0',
  '-c',
  'maintenance.auto=false',
];

/** More than the names of all files and refs of the largest repositories. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** The environment of every git, also of one that another program calls. */
export const gitEnvironment = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_CONFIG_NOSYSTEM: '1',
  // Lets git read a local repository of another user. It starts a program for that repository, which
  // gets no settings from arguments.
  GIT_CONFIG_GLOBAL: anyOwner,
  GIT_ATTR_NOSYSTEM: '1',
  GIT_ALLOW_PROTOCOL: 'ssh:https:http:git:file',
  LC_ALL: 'C.UTF-8',
};

export interface GitOptions {
  cwd: string;
  env: Record<string, string>;
  /** The user that runs git; null: the user of the runner. */
  user: RunUser | null;
  signal?: AbortSignal | undefined;
  /** Text for the standard input of git. */
  input?: string;
  /** How many bytes git may print. */
  outputLimit?: number;
  /** Whether git speaks with a repository of this machine only, so that all of its words are git's own. */
  isLocal?: boolean;
  /** Called with what git prints on standard error while it runs. */
  onError?: ((text: string) => void) | undefined;
}

/** A call of git that failed; the message is what git printed. */
export class GitError extends Error {}

export async function git(args: string[], options: GitOptions): Promise<string> {
  const result = await tryGit(args, options);
  if (result.exitCode === 0) return result.stdout;
  const lines = result.stderr.split(/[\r\n]+/).filter((line) => isOwnWord(line, options));
  throw new GitError(
    result.failure ?? (lines.join('\n') || `git ended with ${result.exitCode ?? 'a signal'}`),
  );
}

/**
 * Whether git itself wrote the line. Lines of the other server are left out: it may be no git server,
 * and people who can only set an address must not read its answers.
 */
const isOwnWord = (line: string, { isLocal = false }: GitOptions): boolean =>
  line.trim() !== '' && (isLocal || !line.startsWith('remote:')) && !isProgress(line);

export function tryGit(
  args: string[],
  { cwd, env, user, signal, onError, input = '', outputLimit = MAX_OUTPUT_BYTES }: GitOptions,
): Promise<ToolResult> {
  const own = {
    ...gitEnvironment,
    // Git would otherwise use another object in place of a commit if the repository says so.
    GIT_NO_REPLACE_OBJECTS: '1',
  };
  const all = { cwd, user, env: { ...own, ...env }, input, outputLimit };
  return runTool({ command: 'git', args: [...safe, ...args], ...all }, signal, onError);
}
