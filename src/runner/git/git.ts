// Calls git so that neither repositories nor user input can change its behaviour: no prompts, no hooks, no foreign
// configuration, only known protocols, and `--` before user input.

import { fileURLToPath } from 'node:url';
import type { RunUser } from '../../node/process/run-users.ts';
import { runTool, type ToolResult } from '../programs/process.ts';
import { isProgress } from './transfer.ts';

const anyOwner = fileURLToPath(new URL('any-owner.gitconfig', import.meta.url));

const safe = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'protocol.ext.allow=never',
  // Only the first request may be redirected. Git asks for a password for each host again.
  'http.followRedirects=initial',
  'safe.directory=*',
  'advice.detachedHead=false',
  'core.attributesFile=/dev/null',
  'gc.auto=0',
  'maintenance.auto=false',
].flatMap((setting) => ['-c', setting]);

/** Larger than the lists of files and refs of the largest repositories. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** For every git process, also those that other programs start. */
export const gitEnvironment = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_CONFIG_NOSYSTEM: '1',
  // Allows local repositories of other users. git starts a process for them that gets no `-c` arguments.
  GIT_CONFIG_GLOBAL: anyOwner,
  GIT_ATTR_NOSYSTEM: '1',
  GIT_ALLOW_PROTOCOL: 'ssh:https:http:git:file',
  LC_ALL: 'C.UTF-8',
};

export interface GitOptions {
  cwd: string;
  env: Record<string, string>;
  /** Null: the user of the runner. */
  user: RunUser | null;
  signal?: AbortSignal | undefined;
  input?: string;
  outputLimit?: number;
  /** Whether only repositories of this machine are involved, so that all messages are git's own. */
  isLocal?: boolean;
  /** Called with the pieces of standard error. */
  onError?: ((text: string) => void) | undefined;
}

/** The message is git's standard error. */
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
 * Whether git itself wrote the line. Messages of the remote server are removed: people who can only set an
 * address must not read responses of any server.
 */
const isOwnWord = (line: string, { isLocal = false }: GitOptions): boolean =>
  line.trim() !== '' && (isLocal || !line.startsWith('remote:')) && !isProgress(line);

export function tryGit(
  args: string[],
  { cwd, env, user, signal, onError, input = '', outputLimit = MAX_OUTPUT_BYTES }: GitOptions,
): Promise<ToolResult> {
  const own = {
    ...gitEnvironment,
    // Ignores replacement refs of the repository.
    GIT_NO_REPLACE_OBJECTS: '1',
  };
  const all = { cwd, user, env: { ...own, ...env }, input, outputLimit };
  return runTool({ command: 'git', args: [...safe, ...args], ...all }, signal, onError);
}
